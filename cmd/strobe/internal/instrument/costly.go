// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Costly is a zone whose calls are so many that even counting them slowed a run. The next build of the program leaves it out.
type Costly struct {
	Package, Name string  // as in Zone
	Share         float64 // what measuring it took of the time that the program would have used without
	Self          float64 // its share of the self times of all functions; 0 for a wait
}

// isCostly is the reason for functions that are left out because of an earlier run.
const isCostly = "measuring its calls slowed an earlier run; --all-functions brings it back"

// costlyFile returns the file with what was found about the program of a request, whatever zones it has, and with the flags that change
// how fast it is.
func (s *store) costlyFile(r Request) string {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		dir = r.Dir
	}
	texts := []string{dir, strings.Join(r.targets(), " "), fmt.Sprint(r.Test)}
	for _, f := range r.Flags {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if slices.Contains([]string{"race", "msan", "asan", "gcflags"}, name) {
			texts = append(texts, f)
		}
	}
	return filepath.Join(s.base, "costly", digest(texts...)+".json")
}

// readCostly returns what was found about a program; nil if nothing.
func readCostly(file string) (all []Costly) {
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}

// Note keeps which zones slowed a run, so that the next build of the program leaves them out, besides those that this one left out. A
// plan for all zones forgets what was found earlier. Note returns whether the next build leaves them out: no, if there is no folder to
// keep it in.
func (p *Plan) Note(found []Costly) (kept bool, err error) {
	if p.costlyFile == "" || p.temporary != "" {
		return false, nil
	}
	all := append(slices.Clone(p.Costly), found...)
	if len(all) == 0 && p.whole {
		os.Remove(p.costlyFile) // there may be none
	}
	if len(found) == 0 {
		return false, nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return false, err
	}
	err = replaceFile(p.costlyFile, text)
	return err == nil, err
}

// leaveOut takes the zones away that slowed an earlier run, apart from units and those that the user asks for by name. It returns them.
func leaveOut(all []Costly, l *listed, s *source) (out []Costly) {
	is := func(name string) bool {
		i := slices.IndexFunc(all, func(c Costly) bool { return c.Package == l.path() && c.Name == name })
		if i >= 0 {
			out = append(out, all[i])
		}
		return i >= 0
	}
	for i := range s.functions {
		f := &s.functions[i]
		if f.reason == "" && f.unit == "" && !f.named && is(show(l, f.name)) {
			f.reason = isCostly
		}
		waits := f.waits[:0]
		for _, w := range f.waits {
			if !is(waiting(w, show(l, f.name))) {
				waits = append(waits, w)
			}
		}
		f.waits = waits
	}
	return out
}

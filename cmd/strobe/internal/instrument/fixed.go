// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fixed reports whether the program of a plan is the same as long as the plan's request and inputs are: the go command need not be
// asked again. Files that are embedded, other languages, several modules in folders, revisions, and flags that are not known to be
// harmless are left to the go command, which takes longer for it than a small program.
func (b *building) fixed() bool {
	if b.request.Test || b.settings.Work != "" || b.request.flag(b.settings, "buildvcs") != "false" {
		return false
	}
	for _, f := range append(strings.Fields(b.settings.Flags), b.request.Flags...) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !slices.Contains([]string{"buildvcs", "tags", "ldflags", "gcflags", "race", "trimpath", "mod"}, name) {
			return false
		}
	}
	for _, l := range b.packages {
		if !l.Standard && len(l.CgoFiles) > 0 {
			return false
		}
		if l.local() && (l.Module == nil || !l.Module.Main || l.otherFiles()) {
			return false
		}
	}
	return true
}

// otherFiles reports whether a package consists of more than Go files.
func (l *listed) otherFiles() bool {
	for _, all := range [][]string{l.EmbedPatterns, l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SwigFiles, l.SwigCXXFiles, l.SysoFiles} {
		if len(all) > 0 {
			return true
		}
	}
	_, err := os.Stat(filepath.Join(l.Dir, "default.pgo"))
	return err == nil
}

// A product is a program as it was when it had been built.
type product struct {
	Name     string
	Size     int64
	Modified int64 // in ns
}

// productOf describes the only file in the plan's folder for the program.
func (p *Plan) productOf() (x product, ok bool) {
	all, err := os.ReadDir(p.Folder())
	if err != nil || len(all) != 1 {
		return x, false
	}
	info, err := all[0].Info()
	if err != nil || !info.Mode().IsRegular() {
		return x, false
	}
	return product{info.Name(), info.Size(), info.ModTime().UnixNano()}, true
}

func (p *Plan) productFile() string { return filepath.Join(p.dir, "product.json") }

// Built notes that the go command has built the program in the plan's folder.
func (p *Plan) Built() {
	if x, ok := p.productOf(); ok && p.Fixed {
		if text, err := json.Marshal(x); err == nil {
			replaceFile(p.productFile(), text) // otherwise the program is built again
		}
	}
}

// IsBuilt reports whether the program is in the plan's folder, as the go command would build it.
func (p *Plan) IsBuilt() bool {
	var then product
	text, err := os.ReadFile(p.productFile())
	if err != nil || !p.Fixed || json.Unmarshal(text, &then) != nil {
		return false
	}
	now, ok := p.productOf()
	return ok && now == then
}

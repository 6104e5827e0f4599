// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat/decide"
)

// profileFor is how long a side is profiled, which samples 100 times a second.
const profileFor = time.Second

// profile writes CPU profiles of both sides of the benchmarks that failed, and names the function that grew most.
func (m *measurement) profile(s *session.Session) error {
	dir, err := filepath.Abs(m.flags.CPUProfile)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return session.Failure{Code: session.Unwritten, Err: fmt.Errorf("--cpu-profile: %w", err)}
	}
	p := s.Progress()
	defer p.Clear()
	for i, b := range m.all {
		if m.family.Outcome(i) != decide.Failed || b.broken != "" || s.Interrupted() {
			continue
		}
		p.Show("profiling %s", b.title())
		name := strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(b.title())
		if err := b.profile(s.Ctx, filepath.Join(dir, name), m.flags.timeout()+20*profileFor); err != nil && !s.Interrupted() {
			m.notes = append(m.notes, fmt.Sprintf("no profile of %s: %v", b.title(), err))
		}
	}
	return nil
}

// profile writes FILE.base.pprof and FILE.new.pprof.
func (b *benchmark) profile(ctx context.Context, file string, timeout time.Duration) error {
	var costs [2]map[string]float64 // ns per call, by function
	calls := max(1, int(float64(profileFor)/max(1, b.median(newSide))))
	for side, suffix := range [2]string{".base.pprof", ".new.pprof"} {
		broken, brokenSide := b.broken, b.brokenSide
		_, _, err := b.run(ctx, side, 0, calls, 1, timeout, "-test.cpuprofile="+file+suffix)
		b.broken, b.brokenSide = broken, brokenSide // it has been measured
		if err != nil {
			return err
		}
		if costs[side], err = flat(file+suffix, calls); err != nil {
			return err
		}
	}
	b.grown = grown(costs[oldSide], costs[newSide])
	return nil
}

// flat returns the processor time that each function has used itself, ns per call of the benchmark.
func flat(file string, calls int) (map[string]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for _, sample := range p.Sample {
		if len(sample.Location) == 0 || len(sample.Location[0].Line) == 0 || sample.Location[0].Line[0].Function == nil {
			continue
		}
		costs[sample.Location[0].Line[0].Function.Name] += float64(sample.Value[len(sample.Value)-1]) / float64(calls)
	}
	return costs, nil
}

// grown names the function whose own time grew most and by how much, if that is at least half of all growth.
func grown(before, after map[string]float64) string {
	all, most, name := 0.0, 0.0, ""
	for _, f := range slices.Sorted(maps.Keys(after)) { // a sum of floats depends on the order
		more := after[f] - before[f]
		all += more
		if more > most {
			most, name = more, f
		}
	}
	for _, f := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[f]; !ok {
			all -= before[f]
		}
	}
	if name == "" || most < all/2 {
		return ""
	}
	then := "and was not seen on the base"
	if before[name] > 0 {
		then = units.Duration(before[name]) + " on the base"
	}
	return fmt.Sprintf("%s takes %s a call, %s", name, units.Duration(after[name]), then)
}

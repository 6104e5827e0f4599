// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"errors"
	"strings"

	"github.com/google/pprof/profile"
)

// The two sides, by their index.
const (
	Base = 0
	New  = 1
)

// A Run is one process that ran the benchmark under the processor profile.
type Run struct {
	Calls   int     // that were timed
	Elapsed float64 // that they took, ns
	Waited  float64 // share of that in which they waited for a processor; 0 if it is not known, or of several goroutines
	Profile *profile.Profile
}

// Profiles gathers runs of both sides. Make it with [NewProfiles].
type Profiles struct {
	programs [2]program
	single   bool // only one goroutine runs at a time
	sides    [2]sampled
	sources  sources
}

// A sampled side has the samples of its runs by stack.
type sampled struct {
	stacks []stack
	index  map[string]int // of stacks, by their functions
	runs   []sampledRun
	entry  string  // function of the benchmark
	waited float64 // sum of the shares
}

// A stack is a distinct one.
type stack struct {
	frames []string // functions, outermost first
	own    string   // what its cost belongs to
}

// A sampledRun is the part of a run that belongs to the benchmark.
type sampledRun struct {
	slots float64     // elapsed time without that waiting for a processor, in periods of the profile
	calls float64     // the same, if a call took 1 ns
	count map[int]int // samples by index of the stack
	all   int         // samples
}

// NewProfiles returns an empty set for a benchmark; single says that it runs on a single processor. modules has the paths of the
// modules of the program for each side, the main module first; everything else is the standard library. Without paths,
// NewProfiles guesses.
func NewProfiles(modules [2][]string, single bool) *Profiles {
	p := &Profiles{programs: programs(modules), single: single, sources: sources{}}
	for side := range p.sides {
		p.sides[side].index = map[string]int{}
	}
	return p
}

// programs returns those of both sides.
func programs(modules [2][]string) (both [2]program) {
	for side := range both {
		both[side].modules = modules[side]
	}
	if len(modules[Base]) > 0 && len(modules[New]) > 0 && modules[Base][0] != modules[New][0] {
		both[Base].rename = modules[New][0]
	}
	return both
}

// Add takes a run of a side. The error says what the profile lacks.
func (p *Profiles) Add(side int, r Run) error {
	if r.Profile.Period <= 0 || len(r.Profile.SampleType) == 0 || r.Profile.SampleType[0].Type != "samples" {
		return errors.New("not a processor profile")
	}
	if !(r.Calls > 0 && r.Elapsed > 0 && r.Waited >= 0 && r.Waited < 1) {
		return errors.New("the run took no time")
	}
	if side == New {
		p.sources.note(r.Profile)
	}
	s := &p.sides[side]
	s.waited += r.Waited
	run := sampledRun{slots: r.Elapsed * (1 - r.Waited) / float64(r.Profile.Period), calls: float64(r.Calls) / float64(r.Profile.Period), count: map[int]int{}}
	for _, sample := range r.Profile.Sample {
		frames, entry, ok := p.programs[side].place(functions(sample))
		if !ok || sample.Value[0] <= 0 {
			continue
		}
		if entry {
			s.entry = p.programs[side].renamed(frames[0])
		}
		i := s.at(p.programs[side], frames)
		run.count[i] += int(sample.Value[0])
		run.all += int(sample.Value[0])
	}
	s.runs = append(s.runs, run)
	return nil
}

// at returns the index of a stack.
func (s *sampled) at(of program, frames []string) int {
	key := strings.Join(frames, "\n")
	i, ok := s.index[key]
	if !ok {
		i = len(s.stacks)
		s.index[key] = i
		named := make([]string, len(frames))
		for k, f := range frames {
			named[k] = of.renamed(f)
		}
		s.stacks = append(s.stacks, stack{named, of.renamed(of.owner(frames))})
	}
	return i
}

// functions returns the functions of a sample, outermost first. Those that were inlined are among them.
func functions(sample *profile.Sample) (names []string) {
	for i := len(sample.Location) - 1; i >= 0; i-- {
		lines := sample.Location[i].Line
		for k := len(lines) - 1; k >= 0; k-- {
			if f := lines[k].Function; f != nil {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// mostWaited is the mean share of waiting for a processor up to which the remaining elapsed time is accurate.
const mostWaited = 0.2

// disturbed reports whether other programs took the processor for much of the time.
func (p *Profiles) disturbed() bool {
	for _, s := range p.sides {
		if s.waited > mostWaited*float64(len(s.runs)) {
			return true
		}
	}
	return false
}

// Runs returns the number of runs of a side.
func (p *Profiles) Runs(side int) int { return len(p.sides[side].runs) }

// Samples returns the number of samples of a side that are the benchmark's.
func (p *Profiles) Samples(side int) (n int) {
	for _, r := range p.sides[side].runs {
		n += r.all
	}
	return n
}

// standard reports whether a function is part of the standard library on both sides.
func (p *Profiles) standard(function string) bool {
	return p.programs[Base].standard(function) && p.programs[New].standard(function)
}

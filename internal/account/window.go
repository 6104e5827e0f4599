// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/switches"
)

// Time is that of all sources: nanoseconds of the runtime's monotonic clock.
type Time = gotrace.Time

// Sources are what is known about a time. Those that are missing are nil or empty.
type Sources struct {
	Trace    *gotrace.Trace
	Switches *switches.Records
	Period   time.Duration // processor time of a thread between two of Switches.Samples; 0: unknown, or there are none
	Faults   int           // page faults that each of Switches.Faults stands for
	Fault    time.Duration // what a page fault takes; 0: unknown, and then none is accounted for
	Spans    []Span        // of any goroutine, in any order
	Self     int64         // the goroutine that explains; 0: unknown
	Readings []Reading     // of the counters, by At
	Lag      time.Duration // by which pressure.ProcessTime may be behind for each other thread that runs
	Frames   func(pcs []uintptr) []gotrace.Frame

	Processors int // of the machine, that the program may use; 0: unknown
}

// A Span is a time in which a zone was open on a goroutine.
type Span struct {
	Goroutine int64 // 0: unknown
	Interval
	Depth int // number of enclosing spans
	Zone  int // index
}

// An Interval is a time.
type Interval struct{ From, To Time }

// A Reading is the counters at an instant, such as a pressure.Reading.
type Reading struct {
	At   Time          // when it began
	Took time.Duration // until all of them were read
	// Overdue is from when they should have been read until then, if that waited for a timer.
	Overdue Interval
	Counters
}

// Counters have the values of counters that only grow. ok is false if one has none.
type Counters interface {
	Value(pressure.Counter) (v int64, ok bool)
}

// A Window is what is known about a time, in a form in which it can be looked up. It is for one goroutine at a time.
type Window struct {
	Sources
	zones    map[int64][]change        // by goroutine
	offs     map[int64][]switches.Off  // by thread
	occupied map[int][]occupation      // by processor
	faults   map[int64][]sample        // by thread
	samples  map[int64][]sample        // by thread
	helps    map[int64][]gotrace.Range // assists and sweeps, by goroutine
	stops    []gotrace.Range           // when the world was stopped
	news     map[int64][]allocated     // by goroutine
	runs     tracks                    // of goroutines
	holds    tracks                    // of the scheduler's processors by threads
	places   map[gotrace.StackID]place
	shares   []share                    // kept for reuse
	short    bool                       // memory was short at some time, or had to be read from a disk
	ran      map[Interval]time.Duration // how long goroutines ran between two readings of the counters, for the next unit between them
	halts    []halt                     // if halted
	halted   bool
}

// A change is what zone was the innermost one from a time on; -1 if none.
type change struct {
	at   Time
	zone int
}

// A sample is what a thread executed at a moment.
type sample struct {
	at    Time
	pcs   []uintptr       // by the kernel
	stack gotrace.StackID // by a profiler of the program
}

// An allocated is memory that a goroutine got.
type allocated struct {
	at    Time
	bytes int64
}

// NewWindow makes a Window. It keeps the sources.
func NewWindow(s Sources) *Window {
	w := &Window{Sources: s, places: make(map[gotrace.StackID]place), ran: make(map[Interval]time.Duration)}
	if r := s.Switches; r != nil {
		w.offs, w.faults, w.samples = make(map[int64][]switches.Off), make(map[int64][]sample), make(map[int64][]sample)
		for _, o := range r.Off {
			w.offs[o.Thread] = append(w.offs[o.Thread], o)
		}
		w.occupied = occupations(w.offs)
		for _, f := range r.Faults {
			w.faults[f.Thread] = append(w.faults[f.Thread], sample{at: Time(f.At), pcs: f.PCs})
		}
		for _, s := range r.Samples {
			w.samples[s.Thread] = append(w.samples[s.Thread], sample{at: Time(s.At), pcs: s.PCs})
		}
	}
	if n := len(s.Readings); n > 1 {
		read, stalled := growth{before: s.Readings[0].Counters, after: s.Readings[n-1].Counters}.paged()
		w.short = read+stalled > 0
	}
	if s.Trace != nil {
		w.index(s.Trace)
	}
	w.zones = w.changes(s.Spans)
	return w
}

func (w *Window) index(t *gotrace.Trace) {
	w.helps, w.news = make(map[int64][]gotrace.Range), make(map[int64][]allocated)
	for _, r := range t.Ranges {
		switch {
		case r.Kind == gotrace.Stopped:
			w.stops = appendApart(w.stops, r)
		case r.Kind == gotrace.Assist, r.Kind == gotrace.Sweep && r.Goroutine != 0:
			w.helps[r.Goroutine] = appendApart(w.helps[r.Goroutine], r)
		}
	}
	if w.Switches == nil {
		w.samples = make(map[int64][]sample)
		for _, s := range t.Samples {
			w.samples[s.Thread] = append(w.samples[s.Thread], sample{at: s.At, stack: s.Stack})
		}
	}
	for i, h := range t.Heap {
		if i > 0 && h.Goroutine != 0 && h.Live > t.Heap[i-1].Live {
			w.news[h.Goroutine] = append(w.news[h.Goroutine], allocated{h.At, h.Live - t.Heap[i-1].Live})
		}
	}
	for i := range t.Goroutines {
		g := &t.Goroutines[i]
		for k, s := range g.Steps {
			if s.State == gotrace.Running {
				w.runs.add(s.Proc, run{Interval{s.At, w.end(g, k)}, s.Thread, g.ID, strings.HasPrefix(s.Reason, "GC")})
			}
		}
	}
	for _, p := range t.Procs {
		for _, h := range p.Holds {
			w.holds.add(p.ID, run{Interval: Interval{h.From, h.To}, thread: h.Thread})
		}
	}
	w.runs.sort()
}

// appendApart appends a range as far as it is not part of the one before.
func appendApart(all []gotrace.Range, r gotrace.Range) []gotrace.Range {
	if n := len(all); n > 0 {
		r.From = max(r.From, all[n-1].To)
	}
	if r.From >= r.To {
		return all
	}
	return append(all, r)
}

// end returns when step k of g ended.
func (w *Window) end(g *gotrace.Goroutine, k int) Time {
	if k+1 < len(g.Steps) {
		return g.Steps[k+1].At
	}
	return max(w.Trace.To, g.Steps[k].At)
}

// Exact reports whether the times on a processor are known from a time on.
func (w *Window) Exact(from Time) bool { return w.Switches != nil && Time(w.Switches.Covered) <= from }

// near is how far a time may lie outside the one in which the trace says that a goroutine ran: both come from clocks of their own.
const near = 20_000 // ns

// Who returns the goroutine that began something at a time and ended it at another, of which only that is known: the only one that ran
// at both times, and 0 if there are several or none, as without a trace of the time.
func (w *Window) Who(from, to Time) int64 {
	began := w.ranAt(from)
	both := slices.DeleteFunc(w.ranAt(to), func(g int64) bool { return !slices.Contains(began, g) })
	if len(both) != 1 {
		return 0
	}
	return both[0]
}

// ranAt returns the goroutines that ran at a time or very near it.
func (w *Window) ranAt(at Time) (all []int64) {
	w.runs.during(Interval{at - near, at + near}, func(r *run, _ Interval) {
		if !slices.Contains(all, r.goroutine) {
			all = append(all, r.goroutine)
		}
	})
	return all
}

// A run is a time in which a thread ran a goroutine, or held a processor of the scheduler.
type run struct {
	Interval
	thread    int64
	goroutine int64
	collector bool
}

// tracks are runs by the scheduler's processor, on each of which they do not overlap.
type tracks map[int32][]run

func (t *tracks) add(proc int32, r run) {
	if *t == nil {
		*t = make(tracks)
	}
	(*t)[proc] = append((*t)[proc], r)
}

func (t tracks) sort() {
	for _, all := range t {
		slices.SortFunc(all, func(a, b run) int { return cmp.Compare(a.From, b.From) })
	}
}

// during calls each for the parts of runs in i.
func (t tracks) during(i Interval, each func(r *run, part Interval)) {
	for _, all := range t {
		for k := sort.Search(len(all), func(n int) bool { return all[n].To > i.From }); k < len(all) && all[k].From < i.To; k++ {
			if part := all[k].and(i); part.From < part.To {
				each(&all[k], part)
			}
		}
	}
}

// and returns what two intervals have in common; if that is nothing, its To is not after its From.
func (i Interval) and(o Interval) Interval { return Interval{max(i.From, o.From), min(i.To, o.To)} }

// length returns the length of an interval; 0 if it is empty.
func (i Interval) length() time.Duration { return time.Duration(max(0, i.To-i.From)) }

// cut divides i: it calls in for the parts that are in one of others, which are in order and do not overlap, and out for the rest, in order.
func cut[T any](i Interval, others []T, of func(T) Interval, in func(T, Interval), out func(Interval)) {
	first := sort.Search(len(others), func(n int) bool { return of(others[n]).To > i.From })
	for _, o := range others[first:] {
		part := of(o).and(i)
		if part.From >= i.To {
			break
		}
		if part.From >= part.To {
			continue
		}
		if i.From < part.From {
			out(Interval{i.From, part.From})
		}
		in(o, part)
		i.From = part.To
	}
	if i.From < i.To {
		out(i)
	}
}

// The times of what cut divides by.
func offTime(o switches.Off) Interval    { return Interval{Time(o.From), Time(o.To)} }
func rangeTime(r gotrace.Range) Interval { return Interval{r.From, r.To} }
func itself(i Interval) Interval         { return i }

// changes returns for each goroutine when the innermost zone changed.
func (w *Window) changes(spans []Span) map[int64][]change {
	sorted := slices.Clone(spans)
	for i := range sorted {
		if s := &sorted[i]; s.Goroutine == 0 {
			s.Goroutine = w.Who(s.From, s.To)
		}
	}
	sorted = slices.DeleteFunc(sorted, func(s Span) bool { return s.Goroutine == 0 })
	slices.SortFunc(sorted, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Goroutine, b.Goroutine), cmp.Compare(a.From, b.From), cmp.Compare(a.Depth, b.Depth))
	})
	all := make(map[int64][]change)
	var open []Span
	close := func(until Time) {
		for n := len(open); n > 0 && open[n-1].To <= until; n = len(open) {
			outer := -1
			if n > 1 {
				outer = open[n-2].Zone
			}
			g := open[n-1].Goroutine
			all[g] = append(all[g], change{open[n-1].To, outer})
			open = open[:n-1]
		}
	}
	for _, s := range sorted {
		if len(open) > 0 && open[0].Goroutine != s.Goroutine {
			close(1<<63 - 1)
		}
		close(s.From)
		if n := len(open); n > 0 { // a lane's readings may disagree by the resolution of the clock
			s.To = min(s.To, open[n-1].To)
		}
		all[s.Goroutine] = append(all[s.Goroutine], change{s.From, s.Zone})
		open = append(open, s)
	}
	close(1<<63 - 1)
	return all
}

// inZones calls each for the parts of i in which the innermost zone of g was the same.
func (w *Window) inZones(g int64, i Interval, each func(zone int, part Interval)) {
	all := w.zones[g]
	k, _ := slices.BinarySearchFunc(all, i.From+1, func(c change, at Time) int { return cmp.Compare(c.at, at) })
	zone := -1
	if k > 0 {
		zone = all[k-1].zone
	}
	for ; k < len(all) && all[k].at < i.To; k++ {
		if i.From < all[k].at {
			each(zone, Interval{i.From, all[k].at})
			i.From = all[k].at
		}
		zone = all[k].zone
	}
	if i.From < i.To {
		each(zone, i)
	}
}

// Zone returns the index of the innermost zone that was open on a goroutine; -1 if there was none.
func (w *Window) Zone(g int64, at Time) int {
	zone := -1
	w.inZones(g, Interval{at, at + 1}, func(z int, _ Interval) { zone = z })
	return zone
}

// Place returns where a stack was in the program, as in "store.go:41 (main.save)"; "" if that is unknown.
func (w *Window) Place(id gotrace.StackID) string { return w.place(id).where }

// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"fmt"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// A flight recorder drops old generations, so each rest of a trace must say the same about its time as the whole.
func TestATraceThatBeginsInTheMiddleSaysTheSame(t *testing.T) {
	race.Sequential(t)
	for version, data := range goldens(t) {
		whole, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		all := ends(t, data)
		if len(all) < 4 && version != "go1.24" {
			t.Errorf("%s has %d generations", version, len(all)-1)
		}
		for _, begin := range all[1 : len(all)-1] {
			rest, err := Read(slices.Concat(data[:all[0]], data[begin:]))
			if err != nil {
				t.Fatal(version, err)
			}
			if rest.From <= whole.From || rest.To != whole.To {
				t.Errorf("%s: the rest is from %d to %d, the whole from %d to %d", version, rest.From, rest.To, whole.From, whole.To)
			}
			for _, g := range whole.Goroutines {
				r := rest.Goroutine(g.ID)
				i := g.At(rest.From)
				if r == nil {
					if i < 0 || g.Steps[len(g.Steps)-1].State != Gone {
						t.Errorf("%s: goroutine %d is not in the rest", version, g.ID)
					}
					continue
				}
				want := g.Steps[max(i, 0):]
				if i >= 0 && r.Steps[0].At == rest.From {
					if a, b := want[0], r.Steps[0]; a.State != b.State || a.Thread != b.Thread {
						t.Errorf("%s: goroutine %d is in %v at the begin of the rest, which says %v", version, g.ID, a, b)
					}
					want = want[1:]
					r.Steps = r.Steps[1:]
				}
				if a, b := written(whole, want), written(rest, r.Steps); !slices.Equal(a, b) {
					t.Errorf("%s: goroutine %d:\n%q in the whole\n%q in the rest", version, g.ID, a, b)
				}
			}
		}
	}
}

func TestReadBetweenLeavesOutWhatWasOver(t *testing.T) {
	race.Sequential(t)
	for version, data := range goldens(t) {
		whole, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 9 {
			from := whole.From + (whole.To-whole.From)*Time(n)/8
			if n == 4 {
				from = whole.Ranges[len(whole.Ranges)/2].To // exactly
			}
			part, err := ReadBetween(data, from, whole.To, nil)
			if err != nil {
				t.Fatal(err)
			}
			if part.From != from || part.To != whole.To || part.Version != version && n == 0 && version != "go1.24" && version != "go1.27" {
				t.Errorf("%s since %d: %d to %d", version, from, part.From, part.To)
			}
			goroutines := 0
			for _, g := range whole.Goroutines {
				want, p := g.Steps[max(g.At(from-1), 0):], part.Goroutine(g.ID)
				if want[0].State == Gone && want[0].At < from {
					if p != nil {
						t.Errorf("%s: goroutine %d was gone before %d", version, g.ID, from)
					}
					continue
				}
				if goroutines++; p == nil || !slices.Equal(p.Steps, want) {
					t.Errorf("%s since %d: goroutine %d: %v, want %v", version, from, g.ID, p, want)
				}
			}
			if len(part.Goroutines) != goroutines {
				t.Errorf("%s since %d: %d goroutines, want %d", version, from, len(part.Goroutines), goroutines)
			}
			for i, p := range whole.Procs {
				if want := slices.DeleteFunc(slices.Clone(p.Holds), func(h Hold) bool { return h.To < from }); !slices.Equal(part.Procs[i].Holds, want) {
					t.Errorf("%s since %d: %v, want %v", version, from, part.Procs[i], want)
				}
			}
			if want := slices.DeleteFunc(slices.Clone(whole.Ranges), func(r Range) bool { return r.To < from }); !slices.Equal(part.Ranges, want) {
				t.Errorf("%s since %d: %d ranges, want %d", version, from, len(part.Ranges), len(want))
			}
			heap := slices.IndexFunc(whole.Heap, func(h Heap) bool { return h.At >= from })
			if want := whole.Heap[max(heap, 1)-1:]; heap >= 0 && !slices.Equal(part.Heap, want) {
				t.Errorf("%s since %d: %d sizes of the heap, want %d", version, from, len(part.Heap), len(want))
			}
			if l := part.Limits; len(l) == 0 || l[len(l)-1] != whole.Limits[len(whole.Limits)-1] || len(l) > 1 && l[1].At < from {
				t.Errorf("%s since %d: %v", version, from, l)
			}
		}
	}
}

func TestReadBetweenEndsWithTheFirstEventAfterward(t *testing.T) {
	race.Sequential(t)
	for version, data := range goldens(t) {
		whole, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		from := whole.From + (whole.To-whole.From)/16
		for n := range 8 {
			to := from + (whole.To-from)*Time(n)/8
			part, err := ReadBetween(data, from, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			if part.From != from || part.To <= to || part.To > whole.To {
				t.Errorf("%s until %d: %d to %d", version, to, part.From, part.To)
			}
			began := func(steps []Step) []Step {
				return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return s.At >= part.To })
			}
			for _, g := range whole.Goroutines {
				want := began(g.Steps[max(g.At(from-1), 0):])
				var got []Step
				if p := part.Goroutine(g.ID); p != nil {
					got = began(p.Steps)
				} else if len(want) == 1 && want[0].At < from { // nothing has happened since
					want = nil
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s until %d: goroutine %d: %v, want %v", version, to, g.ID, got, want)
				}
				if slices.ContainsFunc(g.Steps, func(s Step) bool { return s.At > to && s.At < part.To }) {
					t.Errorf("%s until %d: goroutine %d has an event before the end at %d", version, to, g.ID, part.To)
				}
			}
			for _, s := range part.Samples {
				if s.At < from || s.At > to {
					t.Errorf("%s: a sample at %d", version, s.At)
				}
			}
			for _, r := range part.Ranges {
				if r.To < from || r.From > part.To || r.To > part.To {
					t.Errorf("%s until %d: %+v", version, to, r)
				}
			}
		}
	}
}

func TestBeginIsThatOfTheFirstEvent(t *testing.T) {
	for version, data := range goldens(t) {
		tr, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if at, err := Begin(data, nil); err != nil || at != tr.From {
			t.Errorf("%s begins at %d, %v; want %d", version, at, err, tr.From)
		}
		if at, err := Begin(data[:20], nil); err == nil {
			t.Errorf("%s: what is cut off begins at %d", version, at)
		}
	}
}

// What began in the latest generation before a time is as in the whole trace, and what is older begins with it at the latest.
func TestReadLatestBeginsWithAGeneration(t *testing.T) {
	race.Sequential(t)
	left := 0
	for version, data := range goldens(t) {
		whole, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 9 {
			from := whole.From + (whole.To-whole.From)*Time(n)/8
			since, err := ReadBetween(data, from, whole.To, nil)
			if err != nil {
				t.Fatal(err)
			}
			latest, err := ReadLatest(data, from, whole.To, nil)
			if err != nil {
				t.Fatal(err)
			}
			if latest.From != since.From || latest.To != since.To || len(latest.Goroutines) > len(since.Goroutines) {
				t.Errorf("%s from %d: %d to %d, %d goroutines, want %d to %d and %d", version, from, latest.From, latest.To, len(latest.Goroutines), since.From, since.To, len(since.Goroutines))
			}
			for _, want := range since.Goroutines {
				got := latest.Goroutine(want.ID)
				if got == nil {
					t.Errorf("%s from %d: goroutine %d is missing", version, from, want.ID)
					continue
				}
				a, b := want.Steps, got.Steps
				if len(a) > 0 && len(b) > 0 && a[0].At != b[0].At {
					if left++; a[0].At > b[0].At || b[0].At > from || a[0].State != b[0].State || b[0].Reason != "" {
						t.Errorf("%s from %d: goroutine %d begins with %+v, want %+v", version, from, want.ID, b[0], a[0])
					}
					a, b = a[1:], b[1:]
				} else if len(a) > 0 && len(b) > 0 && a[0].At <= from { // it may have begun with the generation
					a, b = a[1:], b[1:]
				}
				if a, b := written(since, a), written(latest, b); !slices.Equal(a, b) {
					t.Errorf("%s from %d: goroutine %d:\n%q\nwant\n%q", version, from, want.ID, b, a)
				}
			}
		}
	}
	if left == 0 {
		t.Error("no generation was left out")
	}
}

// written writes steps out, without the numbers of stacks.
func written(tr *Trace, steps []Step) (all []string) {
	for _, s := range steps {
		stack, by := tr.Stack(s.Stack), tr.Stack(s.ByStack)
		s.Stack, s.ByStack = 0, 0
		all = append(all, fmt.Sprintf("%+v %v %v\n", s, stack, by))
	}
	return all
}

// Of goroutines, at most one runs on a thread, and on a P that the thread has, unless it is in a system call.
func TestOneGoroutineRunsOnAThreadAndAP(t *testing.T) {
	race.Sequential(t)
	for version, data := range goldens(t) {
		tr, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		checkExclusive(t, version, tr)
	}
}

type use struct {
	from, to  Time
	goroutine int64
}

func checkExclusive(t *testing.T, name string, tr *Trace) {
	t.Helper()
	threads, procs := make(map[int64][]use), make(map[int64][]use)
	timed := 0
	defer func() {
		if timed == 0 && len(tr.Goroutines) > 10 && name != "live" {
			t.Errorf("%s: no goroutine was unblocked by a timer on a known P", name)
		}
	}()
	for _, g := range tr.Goroutines {
		var sum Time
		for i, s := range g.Steps {
			to := tr.To
			if i+1 < len(g.Steps) {
				to = g.Steps[i+1].At
			}
			sum += to - s.At
			on := use{s.At, to, g.ID}
			switch s.State {
			case Running:
				if s.Proc < 0 || s.Thread == 0 {
					t.Errorf("%s: goroutine %d runs nowhere: %+v", name, g.ID, s)
				}
				threads[s.Thread] = append(threads[s.Thread], on)
				procs[int64(s.Proc)] = append(procs[int64(s.Proc)], on)
				if !slices.ContainsFunc(tr.Procs, func(p Proc) bool {
					return p.ID == s.Proc && slices.ContainsFunc(p.Holds, func(h Hold) bool { return h.Thread == s.Thread && h.From <= s.At && h.To >= to })
				}) {
					t.Errorf("%s: goroutine %d runs on a P that its thread does not have: %+v", name, g.ID, s)
				}
			case Syscall:
				threads[s.Thread] = append(threads[s.Thread], on)
			default:
				if s.Reason == "unblocked" && s.By == 0 && s.Proc >= 0 { // by a timer or the network: a thread had that P then
					timed++
					if !slices.ContainsFunc(tr.Procs, func(p Proc) bool {
						return p.ID == s.Proc && slices.ContainsFunc(p.Holds, func(h Hold) bool { return h.From <= s.At && h.To >= s.At })
					}) {
						t.Errorf("%s: goroutine %d was unblocked on a P that no thread has: %+v", name, g.ID, s)
					}
				} else if s.Proc != -1 {
					t.Errorf("%s: goroutine %d: %+v", name, g.ID, s)
				}
				if s.Thread != 0 {
					t.Errorf("%s: goroutine %d: %+v", name, g.ID, s)
				}
			}
		}
		if first := g.Steps[0].At; sum != tr.To-first {
			t.Errorf("%s: the steps of goroutine %d last %d, not %d", name, g.ID, sum, tr.To-first)
		}
	}
	for what, all := range map[string]map[int64][]use{"thread": threads, "P": procs} {
		for id, uses := range all {
			slices.SortFunc(uses, func(a, b use) int {
				if a.from != b.from {
					return int(a.from - b.from)
				}
				return int(a.to - b.to)
			})
			for i := range uses[1:] {
				if uses[i].to > uses[i+1].from {
					t.Errorf("%s: %s %d has two: %+v and %+v", name, what, id, uses[i], uses[i+1])
				}
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"fmt"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

func (s *scene) split(g int64, from, to float64, links ...Link) Split {
	return s.window().Split(Unit{Goroutine: g, Interval: Interval{Time(from * msec), Time(to * msec)}, Links: links})
}

func split(running, ready, waiting, unknown float64) Split {
	d := func(ms float64) time.Duration { return time.Duration(ms * msec) }
	return Split{d(running), d(ready), d(waiting), d(unknown)}
}

// Each unit is goroutine 1 from 0 to 60 ms. The cases after the first ones are those in which the states of one goroutine would mislead.
func TestASplitIsWhatTheUnitDid(t *testing.T) {
	mixed := "1: run 0, wait 10 sync 1, ready 30 by 2, run 40"
	late := newScene(t, mixed)
	late.Trace.Goroutines[0].Steps[0].At = 4 * msec
	for _, c := range []struct {
		name  string
		scene *scene
		links []Link
		want  Split
	}{
		{"states", newScene(t, mixed).exact(), nil, split(30, 10, 20, 0)},
		{"half of it is before the trace", late.exact(), nil, split(26, 10, 20, 4)},
		{"the trace lacks the goroutine", newScene(t, "7: run 0").exact(), nil, split(0, 0, 0, 60)},
		{"another process has the processor", newScene(t, "1: run 0").off(1, 20, 50, true), nil, split(30, 30, 0, 0)},
		{"another process, without records", newScene(t, "1: run 0"), nil, split(60, 0, 0, 0)},
		{"a call that the runtime does not know", newScene(t, "1: run 0").off(1, 20, 50, false), nil, split(30, 0, 30, 0)},
		{"system call", newScene(t, "1: run 0, call 10 3, run 50").off(1, 12, 48, false), nil, split(24, 0, 36, 0)},
		{"system call, without records", newScene(t, "1: run 0, call 10 3, run 50"), nil, split(20, 0, 0, 40)},
		{"records that begin later", func() *scene {
			s := newScene(t, "1: run 0, call 10 3, run 50").exact()
			s.Switches.Covered = 5 * msec
			return s
		}(), nil, split(20, 0, 0, 40)},
		{"the process was stopped", newScene(t, "1: run 0, ready 59.5, run 59.6").off(1, 1, 58, false).counters(0, 61, fake{pressure.Continued: 1}), nil, split(2.9, 57.1, 0, 0)},
		{"another goroutine works for it", newScene(t, "1: run 0, wait 10 sync 1, ready 50 by 2, run 51", "2: run 12, wait 20 network 4, ready 40, run 42").exact(),
			[]Link{link(2, 12, 50)}, split(9+10+8+8, 1+2, 2+20, 0)},
		{"a stranger ended the wait", newScene(t, "1: run 0, wait 10 sync 1, ready 50 by 2, run 51", "2: run 0").exact(), nil, split(19, 1, 40, 0)},
		{"it waited for the network meanwhile", newScene(t, "1: run 0, wait 10 network 4, ready 50 by 2, run 51", "2: run 0").exact(), []Link{link(2, 0, 60)}, split(19, 1, 40, 0)},
		{"goroutines that wait for each other", newScene(t, "1: wait 0 sync 1, ready 50 by 2, run 60", "2: wait 0 sync 1, ready 50 by 1, run 60").exact(),
			[]Link{link(1, 0, 60), link(2, 0, 60)}, split(0, 10, 50, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.scene.split(1, 0, 60, c.links...); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			a := c.scene.of(1, 0, 60, c.links...)
			got := c.scene.split(1, 0, 60, c.links...)
			if own := a.Sum(Own); own > got.Running {
				t.Errorf("%v of own code, %v running", own, got.Running)
			}
			if waits := a.Sum(Lock) + a.Sum(Network) + a.Sum(Sleep) + a.Sum(Channel); waits > got.Waiting {
				t.Errorf("%v of waits, %v waiting", waits, got.Waiting)
			}
		})
	}
	if got := (&scene{}).split(1, 0, 60); got != split(0, 0, 0, 60) {
		t.Errorf("without a trace: %+v", got)
	}
}

// A zone has the time in which it was the innermost one, of each goroutine in it: what others did for it is theirs.
func TestZonesAreSplitByTheirOwnTime(t *testing.T) {
	s := newScene(t, "1: run 0, wait 10 sync 1, ready 50 by 2, run 51", "2: run 10, wait 20 network 4, ready 40, run 42", "3: run 0").exact().
		span(1, 4, 0, 60, 0).span(1, 5, 5, 55, 1).span(2, 6, 10, 50, 0)
	got := s.window().SplitZones(Interval{2 * msec, 60 * msec})
	want := map[int]Split{4: split(3+5, 0, 0, 0), 5: split(5+4, 1, 40, 0), 6: split(10+8, 2, 20, 0)}
	for zone, w := range want {
		if g := got[zone]; g == nil || *g != w {
			t.Errorf("zone %d: %+v, want %+v", zone, g, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d zones: goroutine 3 was in none", len(got))
	}
}

// A span on a lane that any goroutine may use is that of the goroutine that ran when it began and ended, if there is only one.
func TestAZoneIsSplitByTheGoroutineThatWasInIt(t *testing.T) {
	s := newScene(t, "1: run 0, gone 20", "2: wait 0 chan_receive 4, ready 30, run 31, wait 40 network 4, ready 58, run 59").exact().span(0, 4, 35, 59.5, 0)
	got := s.window().SplitZones(Interval{0, 60 * msec})
	if g := got[4]; len(got) != 1 || g == nil || *g != split(5+.5, 1, 18, 0) {
		t.Errorf("%v", g)
	}
	s = newScene(t, "1: run 0, gone 20", "2: run 30", "3: run 30").exact().span(0, 4, 35, 59.5, 0) // it may be either
	if got := s.window().SplitZones(Interval{0, 60 * msec}); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func BenchmarkSplit(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprint(n, " steps"), func(b *testing.B) {
			line := "1: run 0"
			for i := 1; i < n; i += 3 {
				at := float64(i) * 60 / float64(n)
				line += fmt.Sprintf(", wait %v sync 1, ready %v by 2, run %v", at, at+.01, at+.02)
			}
			w := newScene(new(testing.T), line, "2: run 0").exact().window()
			b.ReportAllocs()
			for b.Loop() {
				w.Split(Unit{Goroutine: 1, Interval: Interval{0, 60 * msec}})
			}
		})
	}
}

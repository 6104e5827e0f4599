// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"maps"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/profile"
)

const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

// reported is a report with a number. It is some time old.
func reported(number uint64, root string, cause capture.Cause, left uint64, age time.Duration, notes ...string) capture.Numbered {
	r := capture.Report{Root: root, Unit: "span", Cause: cause, Left: left, Took: 69 * time.Millisecond, At: time.Now().Add(-age - 69*time.Millisecond), Evidence: new(capture.Evidence)}
	for i := 0; i+1 < len(notes); i += 2 {
		r.Notes = append(r.Notes, profile.Note{Key: notes[i], Value: notes[i+1]})
	}
	return capture.Numbered{Number: number, Report: r}
}

// reporting returns a collector of reports that are appended to all, of which the latest 32 can be read.
func reporting(all *[]capture.Numbered) *Collector {
	c := NewCollector(Options{})
	c.units.read = func(after uint64) (out []capture.Numbered) {
		for _, r := range (*all)[max(0, len(*all)-32):] {
			if r.Number > after {
				out = append(out, r)
			}
		}
		return out
	}
	return c
}

func TestSlowUnitsAreCountedByCause(t *testing.T) {
	all := []capture.Numbered{reported(1, "request", capture.Lock, 0, 0), reported(2, "request", capture.Lock, 3, 0), reported(3, "game", capture.GC, 0, 0)}
	c := reporting(&all)
	r := registered(t, c)
	gather(t, r, protobuf)
	for n := uint64(4); n < 104; n++ { // more than can be read at once
		all = append(all, reported(n, "request", capture.Own, 0, 0))
	}
	gather(t, r, protobuf)
	m := gather(t, r, protobuf) // a scrape without news
	want := map[kind]float64{{"request", "lock"}: 2, {"game", "gc"}: 1, {"request", "own"}: 32}
	got := make(map[kind]float64)
	for _, x := range m["strobe_slow_units_total"].GetMetric() {
		var k kind
		for _, l := range x.GetLabel() {
			switch l.GetName() {
			case "root":
				k.root = l.GetValue()
			case "cause":
				k.cause = l.GetValue()
			}
		}
		got[k] = x.GetCounter().GetValue()
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := m["strobe_slow_units_unexplained_total"].GetMetric()[0].GetCounter().GetValue(); n != 3+68 {
		t.Errorf("%v are not explained, or were not seen", n)
	}
}

func TestSlowCallsOfRootZonesAreExemplars(t *testing.T) {
	const name = "request with exemplars"
	strobe.NewRootZone(name).Do(func() {})
	all := []capture.Numbered{reported(1, name, capture.Lock, 0, time.Hour), reported(2, name, capture.Lock, 0, time.Second, "trace", "00-"+traceID+"-00f067aa0ba902b7-01"),
		reported(3, name, capture.GC, 0, time.Minute, "route", "/", "trace", "none")}
	r := registered(t, reporting(&all))
	exemplars := func() (labels []map[string]string) {
		last := time.Time{}
		for _, e := range of(t, gather(t, r, protobuf), "strobe_zone_duration_seconds", "zone", name).GetHistogram().GetExemplars() {
			if at := e.GetTimestamp().AsTime(); at.Before(last) || e.GetValue() != 0.069 {
				t.Errorf("%v at %v, after %v", e.GetValue(), at, last)
			} else {
				last = at
			}
			l := make(map[string]string)
			for _, p := range e.GetLabel() {
				l[p.GetName()] = p.GetValue()
			}
			labels = append(labels, l)
		}
		return labels
	}
	got := exemplars()
	if len(got) != 2 || !maps.Equal(got[0], map[string]string{"cause": "gc"}) || !maps.Equal(got[1], map[string]string{"cause": "lock", "trace_id": traceID}) {
		t.Errorf("%v", got)
	}
	all = append(all, reported(4, name, capture.Own, 0, 0, "trace", traceID)) // the zone has not been called again
	if got := exemplars(); len(got) != 3 || got[2]["cause"] != "own" {
		t.Errorf("%v", got)
	}
}

func TestTheNumberOfCausesThatAreCountedIsLimited(t *testing.T) {
	s := slowUnits{}
	n := uint64(0)
	s.read = func(after uint64) (out []capture.Numbered) {
		for range 30 {
			n++
			out = append(out, reported(n, string(rune(0x4e00+n)), capture.Lock, 0, 0))
		}
		return out
	}
	for range 40 {
		s.update()
	}
	sum := uint64(0)
	for _, c := range s.counts {
		sum += c
	}
	if len(s.counts) > mostKinds+1 || sum != n || len(s.latest) > mostKinds+1 {
		t.Errorf("%d counters and %d lists, %d of %d reports are counted", len(s.counts), len(s.latest), sum, n)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"reflect"
	"testing"
	"time"
)

func TestLooksOfADifferenceAreThoseSinceTheEarlierSnapshot(t *testing.T) {
	one := func(zone int, d time.Duration) ZoneSplit { return ZoneSplit{zone, Split{d, 2 * d, 3 * d, 4 * d}} }
	early := Snapshot{At: 1e9, Looks: &Looks{Covered: 5, Zones: []ZoneSplit{one(1, 10), one(3, 7)}, Units: []ZoneSplit{one(1, 4)}}}
	late := Snapshot{At: 2e9, Looks: &Looks{Covered: 9, Displaced: true, Zones: []ZoneSplit{one(0, 1), one(1, 15), one(3, 7)}, Units: []ZoneSplit{one(1, 6)}}}
	got := late.Sub(early).Looks
	want := &Looks{Covered: 4, Displaced: true, Zones: []ZoneSplit{one(0, 1), one(1, 5)}, Units: []ZoneSplit{one(1, 2)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if late.Looks.Covered != 9 || len(late.Looks.Zones) != 3 {
		t.Errorf("the later snapshot has changed: %+v", late.Looks)
	}
	if z := want.Zones[1]; z.Total() != 50 || z.Plus(z.Split).Total() != 100 {
		t.Error(z.Total())
	}
}

func TestASplitIsInWords(t *testing.T) {
	for s, want := range map[Split]string{
		{}: "0 ns",
		{Running: 8e6, Ready: 2e5, Waiting: 60.8e6}: "8 ms running, 200 µs ready, 60.8 ms waiting",
		{Waiting: 1.52e9}: "1.52 s waiting",
		{Running: 83.4e9, Waiting: 2 * time.Hour, Unknown: time.Second}: "83.4 s running, 7200 s waiting, 1 s unknown",
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A time in which nothing was looked at has no shares, rather than shares of 0, and the reason.
func TestATimeWithoutLooksHasAReason(t *testing.T) {
	s := Snapshot{At: 2e9, Looks: &Looks{Covered: 9, Zones: []ZoneSplit{{1, Split{Running: 1}}}}}
	if l := s.Sub(s).Looks; l.Covered != 0 || l.Reason == "" || l.Zones != nil {
		t.Errorf("%+v", l)
	}
	resting := Snapshot{Looks: &Looks{Reason: "it rests"}}
	if l := resting.Sub(resting).Looks; l.Reason != "it rests" {
		t.Errorf("%+v", l)
	}
	if l := s.Sub(Snapshot{}).Looks; l.Covered != 9 {
		t.Errorf("since before the first look: %+v", l)
	}
	if l := (Snapshot{}).Sub(s).Looks; l != nil {
		t.Errorf("a process without capture: %+v", l)
	}
}

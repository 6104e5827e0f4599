// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"testing"

	"github.com/strobe-go/strobe/profile"
)

// unitsOf returns the entry of a root zone.
func unitsOf(t *testing.T, s Snapshot, z *Zone) profile.UnitStats {
	t.Helper()
	i := slices.IndexFunc(s.Units, func(u profile.UnitStats) bool { return u.Zone == int(z.id) })
	if i < 0 {
		t.Fatalf("the zone is not among the units: %+v", s.Units)
	}
	return s.Units[i]
}

func TestSnapshotsAndReadingsHaveUnits(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	request := NewRootZone("request")
	whole, summed := NewReader(), &Reader{Lanes: -1}
	summed.Read()
	serve := func(n int) {
		for range n {
			s := request.Enter()
			spin(100)
			s.Exit()
		}
	}
	before := TakeSnapshot()
	serve(400)
	open := request.Enter()
	after := TakeSnapshot()
	open.Exit()
	for name, s := range map[string]Snapshot{"difference": after.Sub(before), "reading": whole.Read(), "sum": summed.Read()} {
		u := unitsOf(t, s, request)
		want := uint64(401)
		if name == "difference" {
			want = 400
			if u.Open != 1 {
				t.Errorf("%d are open", u.Open)
			}
		}
		if u.Calls != want || !u.P50.Bounded() || u.P50.N != want || !u.P99.Bounded() || u.P999.Known() || u.Max == 0 || u.Rate <= 0 {
			t.Errorf("%s: %+v", name, u)
		}
	}
	for name, s := range map[string]Snapshot{"reading": whole.Read(), "sum": summed.Read()} {
		if u := unitsOf(t, s, request); u.Calls != 0 || u.Rate != 0 {
			t.Errorf("%s of nothing: %+v", name, u)
		}
	}
}

func TestOnlyTheOutermostCallsOfARootZoneCount(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	request := NewRootZone("request")
	for range 10 {
		outer := request.Enter()
		request.Enter().Exit()
		outer.Exit()
	}
	if u := unitsOf(t, TakeSnapshot(), request); u.Calls != 10 || u.P50.Known() || u.P50.Reason == "" {
		t.Errorf("%+v", u)
	}
}

func TestOfASampledRootZoneAllCallsCount(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	request := NewRootZone("request")
	request.SetSampling(4)
	for range 4000 {
		request.Enter().Exit()
	}
	if u := unitsOf(t, TakeSnapshot(), request); u.Calls != 4000 || !u.P50.Bounded() || u.P50.N < 800 || u.P50.N > 1200 {
		t.Errorf("%+v", u)
	}
}

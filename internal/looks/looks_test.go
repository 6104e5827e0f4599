// SPDX-License-Identifier: BSD-3-Clause

package looks

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

func TestOneLooksAtATime(t *testing.T) {
	if Read() != nil {
		t.Fatal("nobody has begun")
	}
	if !Begin() || Begin() {
		t.Fatal("two look at the same time")
	}
	if l := Read(); l.Covered != 0 || l.Reason == "" {
		t.Errorf("%+v", l)
	}
	s := profile.Split{Running: 1, Waiting: 2}
	Add(time.Second, map[int]profile.Split{3: s, 1: s}, map[int]profile.Split{1: s}, false)
	Add(time.Second, map[int]profile.Split{3: s}, nil, true)
	Because("")
	l := Read()
	if l.Covered != 2*time.Second || !l.Displaced || l.Reason != "" || len(l.Zones) != 2 || l.Zones[0].Zone != 1 || l.Zones[1].Waiting != 4 || len(l.Units) != 1 {
		t.Errorf("%+v", l)
	}
	End()
	if l := Read(); l.Covered != 2*time.Second || l.Reason == "" {
		t.Errorf("%+v", l)
	}
	if !Begin() {
		t.Error("nobody looks, and yet another one may not")
	}
	End()
}

func TestUnitsAreReadOnceAndTheLatestAreKept(t *testing.T) {
	_, at := Units(0)
	AddUnits([]Unit{{Lane: 1}, {Lane: 2}})
	units, next := Units(at)
	if len(units) != 2 || units[1].Lane != 2 || next != at+2 {
		t.Errorf("%v %d", units, next)
	}
	if units, again := Units(next); units != nil || again != next {
		t.Errorf("%v %d", units, again)
	}
	AddUnits(make([]Unit, mostUnits+5))
	if units, last := Units(next); len(units) != mostUnits || last != next+mostUnits+5 {
		t.Errorf("%d units, %d", len(units), last)
	}
	if units, _ := Units(1 << 60); len(units) != 0 {
		t.Error("a number of another process")
	}
}

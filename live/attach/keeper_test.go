// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// reading is one of a second, in which spans cost 20 ns. calls has those of each zone on each lane.
func reading(calls ...[]uint64) profile.Snapshot {
	s := profile.Snapshot{Elapsed: time.Second, Cost: 20}
	for lane, list := range calls {
		l := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: lane, Name: fmt.Sprintf("g%d", lane)}}
		for zone, n := range list {
			l.Zones = append(l.Zones, profile.ZoneStats{Zone: zone, Calls: n, Timed: n})
			for len(s.Zones) <= zone {
				s.Zones = append(s.Zones, profile.ZoneInfo{Name: fmt.Sprint(zone), Every: 1})
			}
		}
		s.Lanes = append(s.Lanes, l)
	}
	return s
}

// names returns what was chosen, such as "1/16 of g0".
func names(all []tether.Sampled) string {
	var text []string
	for _, c := range all {
		text = append(text, fmt.Sprintf("%d:1/%d of %s", c.Zone, c.Every, c.Of))
	}
	return strings.Join(text, ", ")
}

func TestAZoneIsSampledThatTakesTooMuchOfItsGoroutine(t *testing.T) {
	const percent = 500_000 // calls a second take 1 %
	for _, x := range []struct {
		name string
		in   profile.Snapshot
		used time.Duration
		want string
	}{
		{"little", reading([]uint64{19 * percent / 10}), time.Second, ""},
		{"more", reading([]uint64{21 * percent / 10}), time.Second, "0:1/16 of g0"},
		{"much", reading([]uint64{40 * percent}), time.Second, "0:1/256 of g0"},
		{"one of two", reading([]uint64{21 * percent / 10, percent}), time.Second, "0:1/16 of g0"},
		{"all together", reading([]uint64{15 * percent / 10, 18 * percent / 10, percent}), time.Second, "1:1/16 of g0"},
		{"another goroutine", reading([]uint64{percent}, []uint64{1, 3 * percent}), 0, "1:1/16 of g1"},
		{"a process that uses little", reading([]uint64{percent}), time.Second / 4, "0:1/32 of the process"},
		{"many goroutines", reading([]uint64{percent}, []uint64{percent}, []uint64{percent}, []uint64{percent}), time.Second, "0:1/32 of the process"},
		{"unknown processor time", reading([]uint64{percent}, []uint64{percent}, []uint64{percent}), 0, ""},
		{"few calls of an idle process", reading([]uint64{999}), time.Nanosecond, ""},
	} {
		if got := names(choose(x.in, x.used)); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

func TestCountingAloneMayTakeTooMuch(t *testing.T) {
	s := reading([]uint64{30_000_000})
	s.Zones[0].Every, s.Lanes[0].Zones[0].Timed = mostEvery, 30_000_000/mostEvery
	if got := choose(s, time.Second); len(got) != 1 || !got[0].Least {
		t.Errorf("%+v", got)
	}
}

func TestOnlyKnownFormatsAreExported(t *testing.T) {
	for name, ok := range map[string]bool{"a.json": true, "a.pb.gz": true, "a.html": false, "a": false, filepath.Join("missing", "a.json"): false} {
		if _, err := newExport(name); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), exportVariable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnOfferIsForTheChildOfWhoMadeIt(t *testing.T) {
	for text, want := range map[string]bool{
		fmt.Sprintf(`{"parent":%d,"address":"x"}`, os.Getppid()): true, fmt.Sprintf(`{"parent":%d}`, os.Getpid()): false, "{}": false, "": false, "x": false} {
		if _, ok := parse(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}

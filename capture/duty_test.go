// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Over a long time, events cost no more than the share, and as much of it as the turns allow.
func TestARestingRecorderKeepsTheCost(t *testing.T) {
	for _, tt := range []struct {
		share     float64
		bytes     int // in a second
		switching float64
		resting   bool
	}{
		{0.01, 4 << 20, 0, true},
		{0.01, 100 << 10, 0, false},
		{0.04, 4 << 20, 0, true},
		{0.01, 100 << 10, 0.02, true},
		{0.04, 100 << 10, 0.02, false},
	} {
		now := time.Unix(0, 0)
		began := now
		d := &duty{since: now, price: 12e-9}
		var full float64
		rested := false
		for range 200_000 { // 50 ms each
			now = now.Add(50 * time.Millisecond)
			d.look(now)
			switch {
			case d.resting:
				rested = true
				d.rested(now)
				continue
			case d.due(now):
				window := min(now.Sub(d.since), 1500*time.Millisecond)
				d.measured(now, int(float64(tt.bytes)*window.Seconds()), window, tt.switching)
				d.limit(tt.share)
			case d.tired(now):
				d.rest(now)
			}
			full += (float64(tt.bytes)*d.price + tt.switching) * 0.05
		}
		cost := full / now.Sub(began).Seconds()
		if cost > tt.share*1.02 || rested != tt.resting || tt.resting && cost < tt.share*0.9 {
			t.Errorf("%+v: %.4f of a processor, rested %v", tt, cost, rested)
		}
		if got := d.spent().Seconds(); math.Abs(got-full) > full/50+0.1 {
			t.Errorf("%+v: it says that events took %.2f s, and they took %.2f", tt, got, full)
		}
		if degree := d.degree(tt.share); strings.Contains(degree, "and rest for") != tt.resting {
			t.Errorf("%+v: %q", tt, degree)
		}
	}
}

func TestAShortRestIsSaid(t *testing.T) {
	d := duty{pause: 480 * time.Millisecond, cost: 0.0109}
	if got, want := d.degree(0.01), "work for 5 s and rest for 480 ms in turn"; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

func TestThePriceOfEventsIsWithinBounds(t *testing.T) {
	for _, tt := range []struct {
		without, with time.Duration
		want          float64
	}{
		{10 * time.Microsecond, 28600 * time.Nanosecond, 12e-9},
		{10 * time.Microsecond, 10 * time.Microsecond, assumedPrice},
		{0, time.Millisecond, assumedPrice},
		{time.Microsecond, time.Microsecond + 1, leastPrice},
		{time.Microsecond, time.Second, mostPrice},
	} {
		if got := eventPrice(tt.without, tt.with); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v without and %v with: %v, want %v", tt.without, tt.with, got, tt.want)
		}
	}
}

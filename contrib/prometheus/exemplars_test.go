// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
)

func TestSlowFramesAreExemplars(t *testing.T) {
	strobe.Frame("loop with exemplars")
	now := time.Now()
	frames := []live.SlowFrame{
		{Run: "r", Loop: "another loop", Number: 1, Ended: now, Took: time.Second},
		{Run: "r", Loop: "loop with exemplars", Number: 2, Ended: now.Add(-time.Hour), Took: time.Second},
		{Run: "r", Loop: "loop with exemplars", Number: 9, Ended: now.Add(-time.Second), Took: 30 * time.Millisecond},
		{Run: "r", Loop: "loop with exemplars", Number: 5, Ended: now.Add(-time.Minute), Took: 50 * time.Millisecond},
	}
	m := gather(t, registered(t, NewCollector(Options{SlowFrames: func() []live.SlowFrame { return frames }})), protobuf)
	all := of(t, m, "strobe_frame_duration_seconds", "loop", "loop with exemplars").GetHistogram().GetExemplars()
	if len(all) != 2 {
		t.Fatalf("%d exemplars: %v", len(all), all)
	}
	for i, want := range []live.SlowFrame{frames[3], frames[2]} {
		e := all[i]
		labels := make(map[string]string)
		for _, l := range e.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		if e.GetValue() != want.Took.Seconds() || !e.GetTimestamp().AsTime().Equal(want.Ended) || labels["run"] != "r" || labels["frame"] != map[uint64]string{5: "5", 9: "9"}[want.Number] {
			t.Errorf("%v, want %+v", e, want)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestProbeMeasuresEveryWay(t *testing.T) {
	for _, w := range Ways() {
		l, err := Probe(context.Background(), w, time.Millisecond, 40)
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		if l.P50 < 0 && w.Name != "time.Ticker" || l.P50 > l.P99 || l.P99 > l.Max || l.N != 40 {
			t.Errorf("%+v", l)
		}
		if l.CPUKnown && (l.CPU < 0) {
			t.Errorf("%s: %.3f of a processor", w.Name, l.CPU)
		}
		t.Logf("%+v", l)
	}
}

func TestProbeRefusesWhatItCannotMeasure(t *testing.T) {
	for _, c := range []struct {
		w Way
		d time.Duration
		n int
	}{{Way{Name: "none"}, time.Millisecond, 1}, {Ways()[0], 0, 1}, {Ways()[0], time.Hour, 1}, {Ways()[0], time.Millisecond, 0}} {
		if _, err := Probe(context.Background(), c.w, c.d, c.n); err == nil {
			t.Errorf("%s, %v, %d was measured", c.w.Name, c.d, c.n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, w := range Ways() {
		if _, err := Probe(ctx, w, time.Millisecond, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after its context ended", w.Name, err)
		}
	}
}

func BenchmarkWaitOverrun(b *testing.B) { // what Wait costs beside the waiting
	l := NewLimiter(Options{Rate: MaxRate, Late: Slip})
	defer l.Close()
	b.ReportAllocs()
	for b.Loop() {
		l.grid.start -= 1e9
		l.Wait(context.Background())
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// The bound is loose because it must hold on any machine under any load; BENCHMARKS.md has the error.
func TestNowLiesBetweenTwoReadingsOfTheReference(t *testing.T) {
	const slack = 100_000
	Now() // starts the reference
	end := time.Now().Add(200 * time.Millisecond)
	for time.Now().Before(end) {
		for _, f := range []func() Instant{Now, NowOrdered} {
			a := master.hw.reference()
			n := int64(f())
			b := master.hw.reference()
			if n < a-slack || n > b+slack {
				t.Fatalf("Now read %d between %d and %d of the reference; %+v", n, a, b, Describe())
			}
		}
	}
}

func TestNowNeverStepsBack(t *testing.T) {
	last, ordered := Now(), NowOrdered()
	for range 2_000_000 {
		n := Now()
		if n < last {
			t.Fatalf("Now stepped back by %d ns", last-n)
		}
		last = n
	}
	for range 1_000_000 {
		n := NowOrdered()
		if n < ordered {
			t.Fatalf("NowOrdered stepped back by %d ns", ordered-n)
		}
		ordered = n
	}
}

func TestTicksMeasureTheSameTimeAsNow(t *testing.T) {
	t0, n0 := TicksOrdered(), NowOrdered()
	time.Sleep(20 * time.Millisecond)
	n1, t1 := NowOrdered(), TicksOrdered()
	least := n1.Sub(n0)
	least -= least/1000 + 10*time.Microsecond // the rate is still being refined
	if d := ToDuration(t1 - t0); d < least {
		t.Errorf("ticks around it measured %v, Now %v", d, n1.Sub(n0))
	}
	if a, b := Ticks(), Ticks(); b < a {
		t.Errorf("ticks stepped back from %d to %d", a, b)
	}
	if d := ToDuration(^uint64(0)); d < 0 {
		t.Errorf("the longest difference of ticks is %v", d)
	}
}

func TestInstantArithmetic(t *testing.T) {
	a := Instant(1000)
	if d := a.Add(time.Second).Sub(a); d != time.Second {
		t.Errorf("a + 1 s - a = %v", d)
	}
	if Since(Now()) < 0 {
		t.Error("a moment ago lies in the future")
	}
	before := time.Now()
	now := Now().Time()
	after := time.Now()
	if now.Before(before.Add(-time.Second)) || now.After(after.Add(time.Second)) {
		t.Errorf("Now is %v, the wall clock went from %v to %v; only a step of it during this test could explain that", now, before, after)
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		read func()
	}{
		{"Now", func() { Now() }}, {"NowOrdered", func() { NowOrdered() }}, {"Since", func() { Since(0) }},
		{"Ticks", func() { Ticks() }}, {"TicksOrdered", func() { TicksOrdered() }}, {"ToDuration", func() { ToDuration(1) }},
	} {
		if n := testing.AllocsPerRun(1000, c.read); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
	}
}

func TestDescribeGivesAReasonOrARate(t *testing.T) {
	info := Describe()
	if info.ClaimedHz != claimedHz() {
		t.Errorf("the processor claims %v Hz, not %v", claimedHz(), info.ClaimedHz)
	}
	if info.Step <= 0 || info.Step > ms {
		t.Errorf("a step of %v ns", info.Step)
	}
	if info.Source == referenceName {
		if info.Reason == "" {
			t.Error("the reference is served without a reason")
		}
	} else if info.Hz <= 0 || info.Step <= 0 || info.Baseline <= 0 || info.Reason != "" {
		t.Errorf("a counter is used, but %+v", info)
	}
	if info.Overhead <= 0 || info.OverheadOrdered <= 0 {
		t.Errorf("reading the clock costs nothing? %+v", info)
	}
	t.Logf("%+v", info)
}

func TestProbeDescribesEveryReadableSource(t *testing.T) {
	sources := Sources()
	if testing.Short() {
		sources = sources[:3]
	}
	for _, s := range sources {
		g, err := Probe(context.Background(), s)
		if s.Err != nil {
			if !errors.Is(err, s.Err) {
				t.Errorf("%s cannot be read, but Probe says %v", s.Name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		if g.Overhead <= 0 || g.Step <= 0 || g.Same < 0 || g.Same > 1 || g.DeltaP50 > g.DeltaP99 {
			t.Errorf("%+v", g)
		}
		wall := s.Name == "time.Now" || strings.HasPrefix(s.Name, "CLOCK_REALTIME") || s.Name == "CLOCK_TAI" // they may be set
		if g.Back > 0 && !s.Slow && !wall {
			t.Errorf("%s stepped back %d times on one processor", s.Name, g.Back)
		}
	}
}

func TestProbeMeasuresTheRateOverATenthOfASecond(t *testing.T) {
	var first, last time.Time
	s := Source{Name: "test", Hz: 1e9, Slow: true, Read: func() int64 {
		if last = time.Now(); first.IsZero() {
			first = last
		}
		return last.UnixNano()
	}}
	if _, err := Probe(context.Background(), s); err != nil || last.Sub(first) < 99*time.Millisecond {
		t.Errorf("the readings span %v: %v", last.Sub(first), err)
	}
}

func TestTooManyTicksAreTheLongestDuration(t *testing.T) {
	for ticks, want := range map[uint64]time.Duration{1 << 62: 1 << 62, 1 << 63: math.MaxInt64, math.MaxUint64: math.MaxInt64} {
		if got := duration(ticks, 1); got != want {
			t.Errorf("%d ticks of a nanosecond are %d ns", ticks, got)
		}
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Probe(ctx, Sources()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, s := range []Source{{Name: "without Read"}, {Name: "still", Read: func() int64 { return 7 }}} {
		if g, err := Probe(context.Background(), s); err == nil || g != (Granularity{Name: s.Name}) {
			t.Errorf("%+v, %v: want an error, and nothing else that could be taken for a figure", g, err)
		}
	}
}

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		Now()
	}
}

func BenchmarkNowOrdered(b *testing.B) {
	for b.Loop() {
		NowOrdered()
	}
}

func BenchmarkTicks(b *testing.B) {
	for b.Loop() {
		Ticks()
	}
}

func BenchmarkBareCounter(b *testing.B) {
	for b.Loop() {
		readCounter()
	}
}

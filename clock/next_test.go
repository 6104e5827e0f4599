// SPDX-License-Identifier: BSD-3-Clause

package clock

import "testing"

// flat returns an epoch of a 1 GHz counter that begins at 10 s, lasts 900 ms and has a baseline of 9 s.
func flat() *epoch {
	at := func(ns int64) anchor { return anchor{tick: uint64(ns), ns: ns, width: 100} }
	e := &epoch{mode: running, latest: at(10_000 * ms), oldest: at(1000 * ms), middle: at(5000 * ms), rate: 1, stage: len(spans) - 1}
	e.line = line{base: 10_000 * ms, mult: fixed(1), off: 10_000 * ms}
	e.target = e.line
	e.size()
	return e
}

func TestSizeLeavesTimeToAnchorBeforeTheEnd(t *testing.T) {
	e := flat()
	if e.window != 900*ms || e.end != e.base+900*ms+900*ms/16 {
		t.Errorf("window %d, end %d after base", e.window, e.end-e.base)
	}
	fast := &epoch{line: line{base: 5}, rate: 0.1, stage: len(spans) - 1} // a counter of 10 GHz
	fast.size()
	if fast.window != 1<<32-1 {
		t.Errorf("a window of %d ticks is more than the assembly subtracts", fast.window)
	}
}

func TestNextEpochStartsWhereTheLastEnds(t *testing.T) {
	e := flat()
	for _, off := range []int64{0, 100, -100, stepLimit - 10_000, 10_000 - stepLimit} { // in the window's tail, where nothing may jump
		n := e.next(anchor{tick: 10_910 * ms, ns: 10_910*ms + off, width: 100})
		if n.base != e.end || n.off != e.at(e.end) || n.strikes != 0 || n.steps != 0 || n.err != off {
			t.Errorf("off by %d: base %d, off %d, err %d, %d strikes", off, n.base-e.end, n.off-e.at(e.end), n.err, n.strikes)
		}
		if n.target.base != n.base {
			t.Errorf("off by %d: the target starts %d ticks after the line", off, int64(n.target.base-n.base))
		}
		rate := float64(9910*ms+off) / (9910 * ms)
		if d := n.rate/rate - 1; d > 1e-12 || d < -1e-12 {
			t.Errorf("off by %d: rate %g, want %g", off, n.rate, rate)
		}
		left := float64(n.target.at(n.end) - n.at(n.end))
		if was := float64(n.target.at(n.base) - n.off); left < was/2-2 && was > 0 || left > was/2+2 && was < 0 || left*was < 0 {
			t.Errorf("off by %d: %g ns at the start of the next epoch, %g at its end: want half", off, was, left)
		}
	}
}

func TestNextEpochAfterAGapStartsOnTime(t *testing.T) {
	e := flat()
	for _, off := range []int64{0, 500, -500, 300_000} {
		n := e.next(anchor{tick: 20_000 * ms, ns: 20_000*ms + off, width: 100})
		if n.base != 20_000*ms || n.off != 20_000*ms+off || n.target.base != n.base || n.strikes != 0 {
			t.Errorf("off by %d: base %d, off %d", off, n.base-20_000*ms, n.off-20_000*ms)
		}
		if want := float64(19_000*ms+off) / (19_000 * ms); n.rate < want-1e-12 || n.rate > want+1e-12 {
			t.Errorf("off by %d: rate %g, over the gap it is %g", off, n.rate, want)
		}
		if n.mult != fixed(n.rate) {
			t.Errorf("off by %d: slews although it is right", off)
		}
	}
}

func TestSlewIsHalfTheErrorAndAtMostHalfTheSpeed(t *testing.T) {
	for _, c := range []struct {
		gap  int64 // how far the line is behind its target
		want float64
	}{
		{1000, 500}, {-1000, -500}, {0, 0},
		{4000 * ms, 0.5 * 956.25 * ms}, {-4000 * ms, -0.5 * 956.25 * ms}, // the limit
		{-100 * ms, -100 * ms}, // far ahead: all of it in one epoch
	} {
		e := flat()
		e.target.off += c.gap
		e.slew()
		if got := float64(e.at(e.end) - e.off - int64(e.end-e.base)); got < c.want-2 || got > c.want+2 {
			t.Errorf("behind by %d ns: slews by %.0f ns, want %.0f", c.gap, got, c.want)
		}
	}
}

func TestLimitOfAStrikeGrowsWithTheGap(t *testing.T) {
	for _, c := range []struct {
		at, off int64
		strikes int
	}{
		{10_910 * ms, 1_455_700, 0}, {10_910 * ms, 1_455_800, 1}, {10_910 * ms, -1_454_200, 0}, {10_910 * ms, -1_454_400, 1},
		{1010_000 * ms, stepLimit + 500*ms, 0}, {1010_000 * ms, stepLimit + 502*ms, 1}, {1010_000 * ms, -stepLimit - 502*ms, 1},
	} {
		e := flat()
		n := e.next(anchor{tick: uint64(c.at), ns: c.at + c.off, width: 100})
		if n.strikes != c.strikes || n.steps != c.strikes {
			t.Errorf("off by %d ns after %d ms: %d strikes, %d steps, want %d", c.off, c.at/ms-10_000, n.strikes, n.steps, c.strikes)
		}
		if n.strikes == 1 && (n.stage != 0 || n.clean != 0 || n.marked != c.at+c.off || n.oldest != n.latest || n.middle != n.latest || n.rate != 1) {
			t.Errorf("a strike leaves %+v", n)
		}
		if n.strikes == 0 && (n.clean != 1 || n.oldest.ns != 1000*ms && c.at < 100_000*ms) {
			t.Errorf("a good anchor leaves %+v", n)
		}
	}
}

func TestStepForwardIsTakenAtOnce(t *testing.T) {
	e := flat()
	n := e.next(anchor{tick: 10_910 * ms, ns: 10_910*ms + 50*ms, width: 100})
	if n.off != n.target.off || n.base != e.end || n.off != e.at(e.end)+50*ms {
		t.Errorf("50 ms behind: starts %d ns before its target", n.target.off-n.off)
	}
}

func TestCounterThatWentBackKeepsTheTime(t *testing.T) {
	e := flat()
	n := e.next(anchor{tick: 1000, ns: 10_500 * ms, width: 100}) // restarted in the middle of the window
	if n.strikes != 1 || n.base != 1000 || n.off != 10_500*ms+stepLimit || n.err != 0 {
		t.Errorf("base %d, off %d, %d strikes", n.base, n.off, n.strikes)
	}
	if n := e.next(anchor{tick: e.base, ns: 10_000 * ms, width: 100}); n.strikes != 0 || n.base != e.end {
		t.Errorf("an anchor at the very base: %d strikes", n.strikes)
	}
	n = e.next(anchor{tick: 1000, ns: 20_000 * ms, width: 100}) // long after its end: nothing later was handed out
	if n.off != e.at(e.end) && n.off != 20_000*ms {
		t.Errorf("starts at %d", n.off)
	}
}

func TestBaselineStaysBetweenHalfAMinuteAndAMinute(t *testing.T) {
	e := flat()
	e.middle = e.latest
	for now := int64(11_000 * ms); now < 300_000*ms; now += 1000 * ms {
		e = e.next(anchor{tick: uint64(now), ns: now, width: 100})
		span := e.latest.ns - e.oldest.ns
		if span > longBaseline+2000*ms || now > 70_000*ms && span < longBaseline/2 {
			t.Fatalf("at %d s the rate is taken over %d s", now/1000/ms, span/1000/ms)
		}
	}
}

func TestStrikesAndFlipsAreForgivenAfterAQuietMinute(t *testing.T) {
	for _, c := range []struct {
		clean        int
		quiet        int64
		strikes, now int
	}{
		{forgiveAnchors - 1, forgiveAfter, 2, 1},
		{forgiveAnchors - 2, forgiveAfter, 2, 2},
		{forgiveAnchors - 1, forgiveAfter - 1, 2, 2},
		{forgiveAnchors - 1, forgiveAfter, 0, 0},
	} {
		e := flat()
		e.clean, e.marked, e.strikes, e.flips = c.clean, 10_910*ms-c.quiet, c.strikes, c.strikes
		n := e.next(anchor{tick: 10_910 * ms, ns: 10_910 * ms, width: 100})
		if n.strikes != c.now {
			t.Errorf("%+v: %d strikes", c, n.strikes)
		}
		if forgiven := c.now < c.strikes; forgiven && (n.flips != 0 || n.clean != 0 || n.marked != 10_910*ms) || !forgiven && c.strikes > 0 && (n.flips == 0 || n.clean == 0) {
			t.Errorf("%+v: %d flips, %d clean", c, n.flips, n.clean)
		}
	}
}

func TestFlipIsAJumpThatUndoesTheOneBefore(t *testing.T) {
	for _, c := range []struct {
		jump, surprise int64
		flips          int
		kept           int64
	}{
		{0, 50_000, 0, 50_000}, {-50_000, 50_000, 1, 50_000}, {50_000, -50_000, 1, -50_000}, {50_000, 50_000, 0, 50_000},
		{-50_000, 62_000, 1, 62_000}, {-50_000, 63_000, 0, 63_000}, {-50_000, 37_000, 0, 37_000}, {-50_000, 38_000, 1, 38_000},
		{-50_000, jumpLimit + 200, 0, -50_000}, {-50_000, 0, 0, -50_000},
	} {
		e := flat()
		e.jump, e.clean = c.jump, 3
		e.watch(false, c.surprise, 200)
		same := flat()
		same.jump, same.flips = c.jump, 3
		same.watch(true, c.surprise, 200)
		if loud := magnitude(c.surprise) > jumpLimit+200; loud != (same.flips == 0) || loud != (same.jump == 0 && c.jump != 0 || c.jump == 0) && c.jump != 0 {
			t.Errorf("%+v on one processor: %d flips, jump %d", c, same.flips, same.jump)
		}
		if e.flips != c.flips || e.jump != c.kept || (e.clean == 0) != (c.flips > 0) {
			t.Errorf("%+v: %d flips, jump %d, %d clean", c, e.flips, e.jump, e.clean)
		}
	}
	e := flat()
	if got := e.tolerance(anchor{width: 300}, 9000*ms); got != 150+50+100 {
		t.Errorf("two anchors and a rate may be off by %d ns, want 300", got)
	}
}

func TestWideAnchorMovesNothingItDoesNotDisprove(t *testing.T) {
	e := flat()
	for _, c := range []struct {
		width uint64
		off   int64
		used  bool
	}{
		{2 * wideLimit, 1000, true}, {2*wideLimit + 2, 1000, false}, {2*wideLimit + 2, -wideLimit - 1, false},
		{2*wideLimit + 2, wideLimit + 2, true}, {200_000, -99_000, false}, {200_000, 101_000, true},
	} {
		n := e.next(anchor{tick: 10_910 * ms, ns: 10_910*ms + c.off, width: c.width})
		if used := n.latest != e.latest; used != c.used || used == (n.rate == e.rate) || used == (n.target.at(n.base) == e.target.at(n.base)) {
			t.Errorf("%+v: latest anchor at %d, rate %g", c, n.latest.ns, n.rate)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		strikes, flips int
		good           bool
	}{{0, 0, true}, {maxStrikes - 1, maxFlips - 1, true}, {maxStrikes, 0, false}, {0, maxFlips, false}} {
		e := &epoch{strikes: c.strikes, flips: c.flips}
		if good := e.verdict() == ""; good != c.good {
			t.Errorf("%+v: %q", c, e.verdict())
		}
	}
}

func TestFirstLineErrsHighByHalfABracketAtMost(t *testing.T) {
	a, b := anchor{tick: 0, ns: 0, width: 100}, anchor{tick: 1 * ms, ns: 2 * ms, width: 60}
	e := begin(a, b, 1*ms+1000)
	if e.base != 1*ms+1000 || e.off != 2*ms+2000+60 || e.rate != 2 || e.stage != 1 || e.oldest != a || e.middle != b || e.latest != b {
		t.Errorf("%+v", e)
	}
}

func TestAnchorsGiveARateOnlyIfBothClocksMovedOn(t *testing.T) {
	a := anchor{tick: 100, ns: 1000, width: 4}
	for _, q := range []anchor{{tick: 100, ns: 2000}, {tick: 200, ns: 1000}, {tick: 99, ns: 2000}, {tick: 200, ns: 999}} {
		if rate, _, ok := q.slope(a); ok {
			t.Errorf("%+v: rate %g", q, rate)
		}
	}
	if rate, open, ok := (anchor{tick: 200, ns: 1300, width: 6}).slope(a); !ok || rate != 3 || open != 0.05 {
		t.Errorf("rate %g, open %g, %v", rate, open, ok)
	}
	if d := (anchor{width: 10}).doubt(3); d != 15 {
		t.Errorf("10 ticks of 3 ns leave %d ns to either side", d)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// The input of this benchmark takes much longer to make than its calls, and so does what follows it.
func BenchmarkOfAPart(b *testing.B) {
	burn(40 * time.Millisecond)
	b.Run("calls", func(b *testing.B) {
		for range b.N {
			burn(100 * time.Microsecond)
		}
	})
	burn(40 * time.Millisecond)
}

// burn uses this much processor time.
func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// Each call of this benchmark is prepared by what is not timed.
func BenchmarkOfPreparations(b *testing.B) {
	for range b.N {
		b.StopTimer()
		burn(200 * time.Microsecond)
		b.StartTimer()
		burn(100 * time.Microsecond)
	}
}

func TestPreparationThatGrowsWithTheCallsIsNoticed(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	b := &benchmark{name: "OfPreparations", longCalls: 50, pkg: &pkg{dirs: [2]string{dir, dir}, binaries: [3][]string{{os.Args[0]}, {os.Args[0]}}}}
	if err := b.measureSetUp(t.Context(), [2]*lengthened{}, time.Minute); err != nil || !b.setUpGrows {
		t.Errorf("%v, %v", b.setUpGrows, err)
	}
}

// What these calls put off is done when the result has been printed.
func BenchmarkOfWorkPutOff(b *testing.B) {
	left := 0
	b.Run("calls", func(b *testing.B) {
		for range b.N {
			countTo(100_000)
			left++
		}
	})
	countTo(left * 50_000)
}

//go:noinline
func countTo(to int) (sum int) {
	for i := range to {
		sum ^= i
	}
	return sum
}

func TestLongRunsSeeWorkThatIsPutOff(t *testing.T) {
	more := 0.0
	for try := 0; try < 10 && (more < 1.15 || more > 2.5); try++ { // a result that is read late has some of the work that follows it
		x := realRuns(t, "OfWorkPutOff/calls", 1000)
		if got := whatCounts([2]twoRuns{x, x}); got != sinceName {
			t.Errorf("%v: %+v of few calls", got, *x.few.Part)
		}
		more = x.processor(sinceName) / x.processor(untilResult)
	}
	if more < 1.15 || more > 2.5 {
		t.Errorf("calls take %v times what they take until the result", more)
	}
}

// realRuns returns a long run and one of few calls of a benchmark of this package.
func realRuns(t *testing.T, name string, calls int) twoRuns {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	b := &benchmark{name: name, longCalls: calls, pkg: &pkg{dirs: [2]string{dir, dir}, binaries: [3][]string{{os.Args[0]}, {os.Args[0]}}}}
	for range 20 { // other programs may keep the name from being read before the result is there
		long, few, err := b.runLong(t.Context(), newSide, 0, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if x := (twoRuns{long, few}); x.parts() {
			return x
		}
		if !long.Counts.Get(migrations).Known() {
			t.Skip("the kernel does not count what a process uses while it runs")
		}
	}
	t.Fatal("unknown where the kernel counts")
	return twoRuns{}
}

func TestLongRunsLeaveOutWhatTheBenchmarkIsAPartOf(t *testing.T) {
	least := math.Inf(1) // of the process, on a busy machine, where a result may be read late
	for try := 0; try < 10 && least > 0.25; try++ {
		x := realRuns(t, "OfAPart/calls", 100)
		if got := whatCounts([2]twoRuns{x, x}); got != untilResult {
			t.Errorf("%v: %+v of few calls", got, *x.few.Part)
		}
		least = min(least, max(float64(x.few.Part.Processor)/processorTime(&x.few.Run), float64(x.long.Part.Processor)/processorTime(&x.long.Run)/3))
	}
	if least > 0.25 {
		t.Errorf("the calls took %v of what few calls did, or 3 times that of what a long run did", least)
	}
}

// What the function does once, before its calls and after the name is printed, does not grow with them.
func TestPreparationThatTakesLongOnceDoesNotGrow(t *testing.T) {
	for call, want := range map[time.Duration]bool{0: false, 100 * time.Microsecond: true} { // that is not timed
		pk := &pkg{binaries: [3][]string{{""}, {""}}}
		pk.runner = func(_ context.Context, b *benchmark, _, _ int, p process) (out printout, _ error) {
			if want := map[int]string{1000: "long", fewCalls: "few"}[p.iterations]; p.kind() != want || p.from != "BenchmarkA" {
				t.Errorf("%d calls in a run that is %q, from %q", p.iterations, p.kind(), p.from)
			}
			timed := time.Duration(p.iterations) * 100 * time.Microsecond
			out.run.Wall = time.Second
			out.run.Part = &command.Part{Wall: 300*time.Millisecond + timed + time.Duration(p.iterations)*call, Queued: -1}
			out.values = []values{{name: b.name, calls: p.iterations, ns: 1e5, timed: true}}
			return out, nil
		}
		b := &benchmark{name: "A", pkg: pk, longCalls: 1000}
		if err := b.measureSetUp(t.Context(), [2]*lengthened{}, time.Minute); err != nil || b.setUpGrows != want {
			t.Errorf("%v a call: %v, %v", call, b.setUpGrows, err)
		}
	}
}

// A side of a round is made of a long run and one of few calls.
func TestTheCostOfLongRunsIsThatOfTheCalls(t *testing.T) {
	const ms = time.Millisecond
	pair := func(long, few *command.Part) twoRuns {
		x := twoRuns{&lengthened{calls: 1002, timed: float64(100 * ms)}, &lengthened{calls: 2}}
		x.long.User, x.long.Part, x.few.User, x.few.Part = 180*ms, long, 70*ms, few
		x.long.Queued, x.long.Known.Queued = 0.5, true
		return x
	}
	part := func(wall, processor, after time.Duration, queued float64) *command.Part {
		return &command.Part{Wall: wall, Processor: processor, After: after, Queued: queued}
	}
	few := part(2*ms, 1*ms, 2*ms, -1)
	good := pair(part(101*ms, 101*ms, 32*ms, 0.1), few)
	for i, c := range []struct {
		x, other           twoRuns
		count              int
		processor, elapsed float64 // us
	}{
		{good, good, sinceName, 130, 0.9 * 100 / 1.002},
		{pair(part(80*ms, 81*ms, 32*ms, -1), few), good, sinceName, 81*1.25 - 1 + 30, 0.5 * 100 / 1.002}, // the name was read late
		{pair(part(101*ms, 101*ms, 32*ms, 0.1), part(2*ms, 1*ms, 11*ms, -1)), good, untilResult, 100, 0.9 * 100 / 1.002},
		{good, pair(part(101*ms, 101*ms, 32*ms, 0.1), part(2*ms, 1*ms, 11*ms, -1)), untilResult, 100, 0.9 * 100 / 1.002},
		{pair(part(101*ms, 101*ms, 32*ms, 0.1), nil), good, ofProcess, 110, 0.5 * 100 / 1.002},
		{pair(nil, few), good, ofProcess, 110, 0.5 * 100 / 1.002},
		{pair(part(49*ms, 49*ms, 0, 0), few), good, ofProcess, 110, 0.5 * 100 / 1.002}, // too late
		{good, pair(nil, few), ofProcess, 110, 0.5 * 100 / 1.002},
	} {
		for order, sides := range [2][2]twoRuns{{c.x, c.other}, {c.other, c.x}} {
			if got := whatCounts(sides); got != c.count {
				t.Errorf("%d, order %d: %v", i, order, got)
			}
		}
		if p, e := c.x.processor(c.count)/1e3, c.x.elapsed(c.count)/1e3; math.Abs(p-c.processor) > 1e-6 || math.Abs(e-c.elapsed) > 0.1 {
			t.Errorf("%d: %v us of processor time, want %v; %v us elapsed, want %v", i, p, c.processor, e, c.elapsed)
		}
		b := &benchmark{}
		if got, want := b.longCost(c.x, "wall", c.count), max(c.x.processor(c.count), c.x.elapsed(c.count)); got != want {
			t.Errorf("%d: %v, want %v", i, got, want)
		}
		if got, want := b.longCost(c.x, "cpu", c.count), c.x.processor(c.count); got != want {
			t.Errorf("%d, by cpu: %v, want %v", i, got, want)
		}
		if got, want := (&benchmark{setUpGrows: true}).longCost(c.x, "wall", c.count), c.x.elapsed(c.count); got != want {
			t.Errorf("%d, growing: %v, want %v", i, got, want)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/race"
)

// times returns a benchmark whose blocks take the times that cost returns.
func times(cost func(side, processors, run, block int) float64) *benchmark {
	runs := 0
	return &benchmark{name: "A", pkg: &pkg{path: "m/p", binaries: [3][]string{{""}, {""}}, runner: func(_ context.Context, b *benchmark, side, _ int, p process) (out printout, _ error) {
		processors := p.processors
		if processors == 0 {
			processors = 4
		}
		took := 4 * time.Millisecond
		for i := range p.blocks {
			ns := cost(side, processors, runs, i)
			out.values = append(out.values, values{name: b.name, calls: p.iterations, ns: ns, timed: true})
			took += 200*time.Microsecond + time.Duration(ns*float64(p.iterations))
		}
		runs++
		out.run = command.Run{Wall: took, User: took, Uncounted: "simulated"}
		return out, nil
	}}}
}

func TestOneProcessorWhereMoreMakeNoDifference(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const target = 20 * time.Millisecond
	for name, c := range map[string]struct {
		cost             func(side, processors, run, block int) float64
		processors, want int
		concurrent       bool
	}{
		"one thread":                       {func(_, _, _, _ int) float64 { return 1000 }, 0, 1, false},
		"asked for two":                    {func(_, _, _, _ int) float64 { return 1000 }, 2, 2, false},
		"starts goroutines":                {func(_, _, _, _ int) float64 { return 1000 }, 0, 0, true},
		"twice as fast on two":             {func(_, p, _, _ int) float64 { return 1000 / float64(min(p, 2)) }, 0, 0, false},
		"the same, the new side only":      {func(side, p, _, _ int) float64 { return 1000 / float64(1+side*(p-1)) }, 0, 0, false},
		"the same, the base only":          {func(side, p, _, _ int) float64 { return 1000 / float64(1+(1-side)*(p-1)) }, 0, 0, false},
		"threads that wait for each other": {func(_, p, _, _ int) float64 { return 1000 * float64(p) }, 0, 0, false},
		"all disturbed for a while": {func(_, p, _, block int) float64 {
			if p > 1 && block < 20 {
				return 3000
			}
			return 1000
		}, 0, 1, false},
		"collections on a busy machine": {func(_, p, run, block int) float64 {
			if p > 1 && (run*7+block)%5 != 0 {
				return 3000
			}
			return 1000 + 200*float64(block%3)
		}, 0, 1, false},
	} {
		b := times(c.cost)
		b.concurrent = c.concurrent
		if err := b.calibrate(t.Context(), target, time.Minute, c.processors); err != nil || b.processors != c.want {
			t.Errorf("%s: %d processors, want %d; %v", name, b.processors, c.want, err)
		}
		took := float64(b.iterations*b.blocks) * c.cost(oldSide, b.maxProcs(), 0, 0)
		if b.blocks != mostBlocks || took < float64(target)/4 || took > 2*float64(target) {
			t.Errorf("%s: %d blocks of %d calls, %.0f ns", name, b.blocks, b.iterations, took)
		}
	}
}

func TestBenchmarksThatStartGoroutinesAreKnownByTheirSource(t *testing.T) {
	const text = `package p

import "testing"

type server struct{}

func BenchmarkPlain(b *testing.B)    { for range b.N { work() } }
func BenchmarkGo(b *testing.B)       { go work() }
func BenchmarkParallel(b *testing.B) { b.RunParallel(func(pb *testing.PB) {}) }
func BenchmarkWithin(b *testing.B)   { b.Run("x", func(b *testing.B) { within(b) }) }
func BenchmarkMethod(b *testing.B)   { var s server; s.start() }
func BenchmarkLimit(b *testing.B)    { runtime.GOMAXPROCS(1) }
func BenchmarkOther(b *testing.B)    { other() }
func within(b *testing.B)            { within2(b) }
func within2(b *testing.B)           { b.RunParallel(nil) }
func (s server) start()              { go work() }
func work()                          { work() }
`
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "a_test.go"), filepath.Join(dir, "b_test.go"), filepath.Join(dir, "none_test.go")}
	for i, text := range []string{text, "package p\nfunc other() { go work() }\n"} {
		if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := map[string]bool{}
	concurrent(files, names)
	var got []string
	for name := range names {
		if strings.HasPrefix(name, "Benchmark") {
			got = append(got, strings.TrimPrefix(name, "Benchmark"))
		}
	}
	if slices.Sort(got); !slices.Equal(got, []string{"Go", "Limit", "Method", "Other", "Parallel", "Within"}) {
		t.Error(got)
	}
}

func TestTheReportSaysHowManyProcessorsThereWere(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for want, processors := range map[string][]int{
		"": {0, 0},
		"measured on one processor, since more make no difference; --cpu 4 measures on 4":         {1, 1},
		"measured on one processor, since more make no difference, except p.B1":                   {1, 0, 1},
		"1 of 3 benchmarks were measured on one processor, since more make no difference to them": {0, 0, 1},
	} {
		m := &measurement{flags: &Flags{}}
		r := &report{m: m}
		for i, n := range processors {
			r.rows = append(r.rows, row{benchmark: &benchmark{pkg: &pkg{path: "m/p"}, name: "B" + string(rune('0'+i)), processors: n}})
		}
		if got := r.processors(); got != want {
			t.Errorf("%v: %q, want %q", processors, got, want)
		}
		if m.flags.CPU = 1; r.processors() != "" {
			t.Errorf("--cpu: %q", r.processors())
		}
	}
}

// The program runs on three processors from the first run on, which finds the benchmarks.
func TestRunsHaveTheProcessorsAskedFor(t *testing.T) {
	race.Sequential(t)
	repository(t, files{"go.mod": goMod, "p/p_test.go": "package p\n\nimport (\n\t\"runtime\"\n\t\"testing\"\n)\n\nfunc BenchmarkThree(b *testing.B) {\n" +
		"\tif n := runtime.GOMAXPROCS(0); n != 3 {\n\t\tb.Fatal(n)\n\t}\n\tfor b.Loop() {\n\t}\n}\n"})
	o, code := object(t, "--self", "--layouts=0", "--run=2ms", "--gate=9000%", "--max-time=1s", "--cpu=3")
	if len(o.Benchmarks) != 1 || o.Benchmarks[0].Calls == 0 || len(o.Broken) > 0 || code > 3 {
		t.Errorf("exit %d, %+v", code, o)
	}
}

func TestProcessorsOfARepository(t *testing.T) {
	measures(t)
	race.Sequential(t)
	// Starts is as fast on one processor: only its source shows that it may start goroutines.
	starts := "Starts(b *testing.B) {\n\tfor i := range b.N {\n\t\tif i < 0 {\n\t\t\tgo time.Now()\n\t\t}\n\t\ttime.Now()\n\t}\n}"
	repository(t, files{"go.mod": goMod, "p/p_test.go": test(loop("Alone", "100"), starts)})
	// One benchmark a request is always calibrated, though a busy machine has no time for a round.
	for _, c := range []struct {
		name string
		cpu  []string
		want int // 0 for any
	}{
		{"Alone", nil, 0}, {"Starts", nil, runtime.GOMAXPROCS(0)}, {"Alone", []string{"--cpu=3"}, 3}, {"Starts", []string{"--cpu=3"}, 3},
	} {
		o, code := object(t, append([]string{"--self", "--layouts=0", "--run=2ms", "--gate=9000%", "--max-time=1s", "--bench=" + c.name}, c.cpu...)...)
		if b := o.benchmark(c.name); len(o.Benchmarks) != 1 || b.Calls == 0 || code > session.Inconclusive || b.Processors < 1 || c.want > 0 && b.Processors != c.want {
			t.Errorf("%s %q: exit %d, %+v, want %d processors", c.name, c.cpu, code, o, c.want)
		}
	}
	if _, errout, code := strobe(t, "--self", "--cpu=-1"); code != 2 || !strings.Contains(errout, "--cpu=-1") {
		t.Errorf("exit %d, %q", code, errout)
	}
	if _, errout, code := strobe(t, "--self", "--exact", "--cpu=1"); code != 2 || !strings.Contains(errout, "one processor") {
		t.Errorf("exit %d, %q", code, errout)
	}
	f := Flags{CPU: 3, Self: true}
	if got := f.repeat("", &benchmark{pkg: &pkg{path: "m/p"}, name: "A"}); !strings.Contains(got, " --cpu=3") {
		t.Error(got)
	}
}

func TestLayoutsAreAsManyAsThereIsTimeFor(t *testing.T) {
	for _, c := range []struct {
		each, budget time.Duration
		done, want   int
	}{
		{time.Second, time.Minute, 1, mostLayouts},
		{5 * time.Second, time.Minute, 1, 3},
		{5 * time.Second, time.Minute, 3, 3},
		{8 * time.Second, time.Minute, 1, 0}, // one layout alone is useless
		{8 * time.Second, time.Minute, 2, 2}, // it became slow
		{0, time.Minute, 1, mostLayouts},
	} {
		if got := affordable(c.each, c.budget, c.done); got != c.want {
			t.Errorf("%v of %v, %d done: %d, want %d", c.each, c.budget, c.done, got, c.want)
		}
	}
}

// Where something else uses the core, more and shorter blocks find the moments in which it does not.
func TestBlocksAreShorterWhereTheCoreIsShared(t *testing.T) {
	for shared, want := range map[bool]int{false: mostBlocks, true: manyBlocks} {
		b := times(func(_, _, _, _ int) float64 { return 10 })
		b.shared = shared
		run := b.pkg.runner
		b.pkg.runner = func(ctx context.Context, b *benchmark, side, layout int, p process) (printout, error) {
			out, err := run(ctx, b, side, layout, p)
			out.run.User -= time.Duration(p.blocks) * 100 * time.Microsecond // half of a block's set-up waits
			return out, err
		}
		if err := b.chooseBlocks(t.Context(), 20*time.Millisecond, time.Minute); err != nil || b.blocks != want || 10*b.iterations < int(10*time.Millisecond)/want {
			t.Errorf("shared %v: %v, %d blocks of %d calls", shared, err, b.blocks, b.iterations)
		}
	}
}

// However much slower the new side is, calibration does not exceed the time limit.
func TestASideThatIsMuchSlowerIsCalibratedInTime(t *testing.T) {
	for _, c := range []struct{ base, latest float64 }{{1, 1e6}, {1, 1e3}, {100, 1e7}, {1, 1}} {
		b := times(func(side, _, _, _ int) float64 { return []float64{c.base, c.latest}[side] })
		b.once = time.Duration(c.latest)
		run, longest := b.pkg.runner, time.Duration(0)
		b.pkg.runner = func(ctx context.Context, b *benchmark, side, layout int, p process) (printout, error) {
			out, err := run(ctx, b, side, layout, p)
			longest = max(longest, out.run.Wall)
			return out, err
		}
		if err := b.chooseBlocks(t.Context(), 20*time.Millisecond, time.Minute); err != nil || longest > 30*time.Second || b.iterations < 1 {
			t.Errorf("%+v: %v, a run of %v, %d calls", c, err, longest, b.iterations)
		}
	}
}

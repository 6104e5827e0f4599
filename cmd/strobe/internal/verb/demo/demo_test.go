// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo/sim"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/profile"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "demo", Command: new(Command)}} }

// strobe runs the verb in process, without a live page.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", append(args, "--http=off")...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 45) }

// longer runs the demonstration for longer and longer until wrong returns "" for its output: on a busy machine a short run may
// have no tick, or end before the lines of its first second.
func longer(t *testing.T, columns int, wrong func(out string) string, args ...string) {
	t.Helper()
	for span := 1200 * time.Millisecond; ; span *= 2 {
		out, errout, code := clitest.RunNarrow(t, columns, verbs()[0], "", append([]string{"demo", "--http=off", "--for=" + span.String()}, args...)...)
		if code != session.Done || errout != "" {
			t.Fatalf("exit %d, %q", code, errout)
		}
		fault := wrong(out)
		if fault == "" {
			return
		}
		if span > 15*time.Second {
			t.Fatalf("%s\n%s", fault, out)
		}
	}
}

func TestDemoTextHasALineForEachOperation(t *testing.T) {
	longer(t, 0, func(out string) string {
		_, tables, _ := strings.Cut(out, "\n\n")
		seconds, whole, _ := strings.Cut(tables, "\n\n")
		for _, part := range []string{seconds, whole} {
			if !strings.HasPrefix(part, " time  operation ") {
				return "no header above " + part
			}
			for _, op := range sim.Ops() {
				if !strings.Contains(part, "  "+string(op)+" ") {
					return "no line for " + string(op) + " in " + part
				}
			}
			for _, row := range []string{"ticker     tick ", "ticker     neighbours ", "ticker     join (wait) ", "census     census ", "worker 1   work ", "worker 4   work "} {
				if ownLanes() && !strings.Contains(part, "  "+row) {
					return "no line " + row + "in " + part
				}
			}
			if !strings.Contains(part, " missed") {
				return "no line for the pacer in " + part
			}
		}
		for line := range strings.Lines(seconds) {
			if len([]rune(line)) > 81 {
				t.Errorf("a wide line: %s", line)
			}
		}
		return ""
	}, "--boids=100")
}

func TestDemoJSONHasThePromisedKeys(t *testing.T) {
	longer(t, 0, func(out string) string { return wrongInJSON(t, out) }, "--json", "--boids=100", "--rate=200")
}

func wrongInJSON(t *testing.T, out string) string {
	if strings.Contains(out, "null") {
		t.Errorf("what is unknown must be absent, not null:\n%s", out)
	}
	var o map[string]any
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	if o["schema"] != 1.0 {
		t.Errorf("schema %v", o["schema"])
	}
	operations := o["operations"].([]any)
	if len(operations) != len(sim.Ops()) {
		t.Errorf("%d operations", len(operations))
	}
	counts := map[string]float64{}
	for i, op := range sim.Ops() {
		v := operations[i].(map[string]any)
		if v["name"] != string(op) {
			t.Errorf("operation %d is %v, not %s", i, v["name"], op)
		}
		counts[string(op)] = v["count"].(float64)
		if counts[string(op)] < 20 {
			continue // on so busy a machine there need not be an interval
		}
		for _, key := range []string{"rate_hz", "mean_ns", "stddev_ns", "p99_ns"} {
			if x, ok := v[key].(float64); !ok || x <= 0 {
				t.Errorf("%s: %s is %v", op, key, v[key])
			}
		}
		iv, _ := v["interval"].(map[string]any)
		for _, key := range []string{"center", "lo", "hi", "level", "method", "n", "n_eff"} {
			if _, ok := iv[key]; !ok {
				t.Errorf("%s: interval %v has no %s", op, iv, key)
			}
		}
	}
	if counts["tick"] != counts["move"] {
		t.Errorf("%v ticks, %v moves", counts["tick"], counts["move"])
	}
	pacer := o["pacer"].(map[string]any)
	for _, key := range []string{"rate_hz", "lateness_p50_ns", "lateness_p99_ns", "missed", "cpu_share"} {
		if _, ok := pacer[key].(float64); !ok {
			return fmt.Sprintf("pacer: %s is %v", key, pacer[key])
		}
	}
	return ""
}

// ownLanes reports whether zones are measured by goroutine here.
func ownLanes() bool {
	notes := strings.Join(zones.TakeSnapshot().Notes, " ")
	return zones.Enabled && !strings.Contains(notes, "cannot be distinguished")
}

func TestAnInterruptedDemonstrationSumsUpWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var o, e bytes.Buffer
	defer time.AfterFunc(50*time.Millisecond, cancel).Stop()
	if code := cli.Run(ctx, verbs(), []string{"demo", "--for=0", "--boids=50", "--http=off"}, nil, &o, &e); code != session.Interrupted || e.Len() != 0 {
		t.Errorf("exit %d, %q", code, e.String())
	}
	if !strings.Contains(o.String(), "50 boids fly in") {
		t.Errorf("no summary: %s", o.String())
	}
}

func TestZonesCountWhatTheGaugesCount(t *testing.T) {
	if !ownLanes() {
		t.Skip("goroutines have no lanes of their own in this build")
	}
	if !child.Process(t) { // lanes of other demonstrations would count too
		return
	}
	out, errout, code := strobe(t, "demo", "--for=400ms", "--json", "--boids=100", "--rate=100")
	var o demoObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Done {
		t.Fatalf("exit %d, %v, %q", code, err, errout)
	}
	counts := map[string]uint64{}
	for _, op := range o.Operations {
		counts[op.Name] = op.Count
	}
	seen, work := 0, uint64(0)
	var tick, inside int64
	for _, z := range o.Zones {
		if n, ok := counts[z.Zone]; ok {
			if seen++; z.Calls != n {
				t.Errorf("%s: %d spans, %d operations", z.Zone, z.Calls, n)
			}
		}
		switch z.Zone {
		case "work":
			work += z.Calls
		case "tick":
			tick, inside = z.Total, inside+*z.Self
		case "neighbours", "steer", "move":
			inside += z.Total
		}
		if z.Calls > 0 && (z.Mean == nil || z.P99 == nil || z.Self == nil) || z.Share < 0 || z.Wait != (z.Zone == "join") {
			t.Errorf("%+v", z)
		}
	}
	for name, n := range counts {
		if n == 0 {
			delete(counts, name) // may be missing on a busy machine
		}
	}
	if seen != len(counts) || work != 12*counts["tick"] {
		t.Errorf("%d of %v are zones; %d parts of work", seen, counts, work)
	}
	if d := tick - inside; d < -1000 || d > 1000 { // each time is rounded to a nanosecond
		t.Errorf("ticks took %d ns, their parts %d ns", tick, inside)
	}
}

func TestDemoTooShortForAnythingLeavesItOut(t *testing.T) {
	out, _, code := strobe(t, "demo", "--for=1ns", "--json")
	if code != session.Done || strings.Contains(out, "null") || strings.Contains(out, "NaN") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	var o demoObject
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	for _, op := range o.Operations {
		if op.Count == 0 && (op.Mean != nil || op.Rate != nil || op.Interval.Known() || op.P99 != nil) || op.Count < 2 && op.StdDev != nil {
			t.Errorf("%+v", op)
		}
	}
	if out, _, code := strobe(t, "demo", "--for=1ns"); code != session.Done || !strings.Contains(out, "Too short") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Ticks are on an exact grid, each with a random lateness. The telescoped interval must contain the true rate at least as often
// as it says, and be far narrower than the interval of independent periods.
func TestTickRateHoldsTheTrueRateAndIsNarrow(t *testing.T) {
	const hz, n, runs = 60.0, 600, 2000
	for name, lateness := range map[string]func(*rand.Rand) float64{
		"exponential": func(r *rand.Rand) float64 { return 50e-6 * r.ExpFloat64() },
		"rare spikes": func(r *rand.Rand) float64 {
			if r.IntN(50) == 0 {
				return 4e-3 * r.Float64()
			}
			return 100e-9
		},
	} {
		rng := rand.New(rand.NewPCG(4, 4))
		sample := make([]float64, 100_000)
		sum, squares := 0.0, 0.0
		for i := range sample {
			sample[i] = lateness(rng)
			sum, squares = sum+sample[i], squares+sample[i]*sample[i]
		}
		p99 := quantile(sample, 0.99)
		hit, half := 0, 0.0
		for range runs {
			span := (n-1)/hz + lateness(rng) - lateness(rng)
			iv := rateOf(n-1, time.Duration(span*1e9), time.Duration(p99*1e9))
			if !iv.Bounded() || iv.N != n-1 || !(iv.Lo < iv.Center && iv.Center < iv.Hi) {
				t.Fatalf("%s: %+v", name, iv)
			}
			if iv.Lo <= hz && hz <= iv.Hi {
				hit++
			}
			half = iv.Half()
		}
		if float64(hit)/runs < 0.967 { // 0.98 less four standard errors
			t.Errorf("%s: %d of %d intervals hold the rate", name, hit, runs)
		}
		sd := math.Sqrt(squares/float64(len(sample)) - math.Pow(sum/float64(len(sample)), 2))
		if independent := 1.96 * hz * hz * math.Sqrt2 * sd / math.Sqrt(n); half > independent/3 {
			t.Errorf("%s: ± %v, the periods taken as independent have ± %v", name, half, independent)
		}
	}
}

func TestTooFewTicksHaveNoRate(t *testing.T) {
	for _, c := range []struct {
		n          uint64
		span, late time.Duration
	}{{0, time.Second, 0}, {1, 0, 0}, {2, 1, 0}, {3, time.Millisecond, time.Millisecond}, {5, -time.Second, 0}} {
		if iv := rateOf(c.n, c.span, c.late); iv.Known() || iv.Reason == "" {
			t.Errorf("%+v gives %+v", c, iv)
		}
	}
	iv := rateOf(600, 10*time.Second, 0)
	if !iv.Bounded() || iv.Center != 60 || iv.Half() <= 0 || iv.Half() > 1e-4 {
		t.Errorf("600 intervals in 10 s give %+v", iv)
	}
}

func quantile(sample []float64, q float64) float64 {
	below := 0
	lo, hi := 0.0, 1.0
	for range 60 { // bisection instead of a sorted copy
		mid := (lo + hi) / 2
		below = 0
		for _, x := range sample {
			if x <= mid {
				below++
			}
		}
		if float64(below) < q*float64(len(sample)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

func TestGaugeKeepsSecondAndRunApart(t *testing.T) {
	g := newGauge()
	at := func(i int) clock.Instant { return clock.Instant(i) * 10_000_000 }
	for i := range 100 {
		g.observe(at(i), at(i)+clock.Instant(1000*(1+i%3)))
	}
	first, rate := g.turn(at(99))
	if m := first.mean.Moments(); math.Abs(rate-100) > 1e-9 || m.N() != 100 || first.busy != 199*time.Microsecond {
		t.Errorf("first second: %v a second, %d of them, %v busy", rate, m.N(), first.busy)
	}
	for i := 100; i < 150; i++ {
		g.observe(at(i), at(i)+5000)
	}
	second, _ := g.turn(at(149))
	if m := second.mean.Moments(); m.N() != 50 || m.Mean() != 5000 || m.StdDev() != 0 {
		t.Errorf("second second: %d of mean %v", m.N(), m.Mean())
	}
	if hz, ok := g.hertz(); g.n != 150 || g.run.mean.Interval(0).N != 150 || !ok || hz != 100 {
		t.Errorf("run: %d at %v Hz", g.n, hz)
	}
	if _, ok := newGauge().hertz(); ok {
		t.Error("a rate of nothing")
	}
}

func TestRowsAreAligned(t *testing.T) {
	t1, t2, t3 := new(tally), new(tally), new(tally)
	for i := range 600 {
		t1.add(time.Duration(1_000_000 + 1000*(i*7919%97)))
	}
	t2.add(123)
	var rows [][]string
	for _, t := range []*tally{t1, t2, t3} {
		rows = append(rows, row("10 s", sim.Neighbours, 60, t, 10*time.Second))
	}
	var p layout.Printer
	p.Table(operationTable(rows))
	rows = nil
	// The width of the interval is up to package stat.
	for _, z := range []zoneRow{
		{profile.LaneStats{LaneInfo: profile.LaneInfo{Name: "ticker"}}, profile.ZoneInfo{Name: "neighbours"}, profile.ZoneStats{Calls: 60, Total: 63_514_000, Self: 310_000}, 0.06351},
		{profile.LaneStats{LaneInfo: profile.LaneInfo{Name: "worker 12"}}, profile.ZoneInfo{Name: "join", Wait: true}, profile.ZoneStats{Calls: 100_000, Total: 999_990_000, Self: 999_990_000}, 1},
		{profile.LaneStats{LaneInfo: profile.LaneInfo{Name: "shared", Shared: true}}, profile.ZoneInfo{Name: "tick"}, profile.ZoneStats{Open: 1, SelfUnknown: true}, 0},
	} {
		rows = append(rows, z.row("10 s"))
	}
	p.Table(zoneTable(rows))
	clitest.Golden(t, *update, "rows.txt", regexp.MustCompile(`± [0-9.]+`).ReplaceAllString(p.String(), "± #"))
	clitest.Fits(t, p.String(), 10, 80)
}

func TestMissedDeadlinesAreNotTicks(t *testing.T) {
	iv := tickRate(pace.Stats{Waits: 591, Missed: 10, Slept: 591, Elapsed: 10 * time.Second}, time.Millisecond, true)
	if iv.Center != 59 {
		t.Errorf("%+v: 590 periods in 10 s, beside 10 missed deadlines", iv)
	}
}

// No test can make a machine miss a known number of deadlines, so this tests the arithmetic.
func TestDeadlinesAreThoseMetAndThoseMissed(t *testing.T) {
	if got, want := deadlines(pace.Stats{Waits: 591, Missed: 10}), "of 601 deadlines, 591 were met and 10 missed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDemoFitsItsTerminal(t *testing.T) {
	for _, columns := range []int{60, 80} {
		longer(t, columns, func(out string) string {
			if strings.Contains(out, "share    self ms") != (columns == 80) || strings.Contains(out, "Omitted because the terminal is narrow: ") != (columns == 60) {
				return fmt.Sprintf("%d columns:", columns)
			}
			clitest.Fits(t, out, 40*strings.Count(out, "  pacer  "), columns)
			return ""
		}, "--boids=50")
	}
}

func TestTheFirstScreenSaysWhatTheRowsMean(t *testing.T) {
	longer(t, 0, func(out string) string {
		screen := strings.Join(strings.SplitAfterN(out, "\n", 25)[:24], "")
		for _, want := range []string{"mean duration with 95 %", "confidence interval", "how late ticks", "without inner zones (self)", "worker"} {
			if !strings.Contains(strings.Join(strings.Fields(screen), " "), want) && (want != "worker" || ownLanes()) {
				return "no " + want + " on the first screen: " + screen
			}
		}
		return ""
	}, "--boids=50")
}

func TestAMeanNeverReachesBelowZero(t *testing.T) {
	var x tally
	for i := range 64 {
		d := 100 * time.Microsecond
		if i == 40 {
			d = 100 * time.Millisecond
		}
		x.add(d)
	}
	if text := meanOf(&x); !strings.Contains(text, " [") || strings.Contains(text, "-") {
		t.Errorf("%q: the interval of a duration that reaches 0 has bounds", text)
	}
	if iv := x.meanTime(); iv.Lo < 0 || iv.Hi <= iv.Center {
		t.Errorf("%+v", iv)
	}
}

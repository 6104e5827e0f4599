// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// verbs is a command with this verb alone.
func verbs() []cli.Verb { return []cli.Verb{{Name: "probe", Command: new(Command)}} }

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verbs()[0], "", args...)
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verbs()[0], 45) }

// surveyed returns a survey with one of each possible result.
func surveyed() *survey {
	none := errors.New("no such thing here")
	return &survey{
		core: neighbour.Report{Spins: 50_000, Share: share(0.63, 0.08), Factor: 2.38, Away: 0.01, Busy: share(0.01, 0.005), Virtual: true},
		now:  clock.Info{Source: "tsc", Reference: "time.Since", Hz: 2.6e9, Overhead: 9.5, OverheadOrdered: 20, Step: 10},
		clocks: []clockFound{
			{Granularity: clock.Granularity{Name: "clock.Now", Hz: 1e9, Overhead: 9.5, Step: 10, Across: 1000, Rated: true, PPM: -0.02, PPMError: 0.6}},
			{Granularity: clock.Granularity{Name: "time.Now", Hz: 1e9, Overhead: 46, Step: 10, Across: 1000, BackAcross: 3, Rated: true, PPM: 12, PPMError: 3}},
			{Granularity: clock.Granularity{Name: "coarse", Hz: 1e9, Overhead: 5, Step: 4e6, Across: 1000, Back: 7}, call: true},
			{Granularity: clock.Granularity{Name: "cpu time", Hz: 1e9, Overhead: 500, Step: 1}, slow: true},
			{Granularity: clock.Granularity{Name: "counter"}, err: none},
		},
		sleeps: []sleepFound{
			{Lateness: pace.Lateness{Name: "time.Sleep", Period: time.Millisecond, N: 100, P50: 100_000, P99: 150_000, Max: 200_000, CPU: share(0.04, 0)}},
			{Lateness: pace.Lateness{Name: "time.Sleep", Period: time.Second / 60, N: 10, P50: 500_000, P99: 600_000, Max: 600_000}},
			{Lateness: pace.Lateness{Name: "pace.Sleep", Period: time.Second / 60, N: 10, P50: 100, P99: 4_000_000, Max: 4_000_000, Reason: "half as good as it might be", CPU: stat.Unknown("the count did not advance")}},
			{Lateness: pace.Lateness{Name: "pace.Limiter", Period: time.Second / 60, N: 10, P50: 100, P99: 4_000_000, Max: 4_000_000, CPU: share(0.31, 0.094)}},
			{Lateness: pace.Lateness{Name: "pace.Limiter, lock", Period: time.Second / 60, N: 10}, err: errPatience},
		},
		counters: []perf.Value{
			{Event: "cycles", State: perf.Unsupported, Reason: "no such thing here"}, {Event: "instructions", State: perf.Unsupported, Reason: "no such thing here"},
			{Event: "task-clock", State: perf.Exact, UserOnly: true, Count: 5, Reason: "kernel.perf_event_paranoid is 2", Remedy: "set it to 1"},
			{Event: "page-faults", State: perf.Exact, Count: 5}, {Event: "major-faults", State: perf.Exact},
		},
	}
}

func TestProbeTextShowsAllThatWasFound(t *testing.T) {
	var out bytes.Buffer
	if err := surveyed().write(&session.Session{Out: &out}); err != nil {
		t.Fatal(err)
	}
	_, found, _ := strings.Cut(out.String(), "\n\n") // the first paragraph describes this machine
	found = strings.Split(found, "- Go runs one goroutine at a time")[0]
	clitest.Golden(t, *update, "probe.txt", found)
}

func TestProbeJSONLeavesOutWhatIsNotKnown(t *testing.T) {
	var out bytes.Buffer
	if err := session.WriteJSON(&out, surveyed().object(false)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "null") {
		t.Errorf("null in\n%s", out.String())
	}
	var o struct {
		Schema                   int
		Clocks, Sleeps, Counters []map[string]any
	}
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	has := func(m map[string]any, keys ...string) (n int) {
		for _, k := range keys {
			if _, ok := m[k]; ok {
				n++
			}
		}
		return n
	}
	if o.Schema != 1 || len(o.Clocks) != 5 || len(o.Sleeps) != 5 || len(o.Counters) != 5 {
		t.Fatalf("%+v", o)
	}
	interval := func(m map[string]any, key string) map[string]any { iv, _ := m[key].(map[string]any); return iv }
	if has(o.Clocks[0], "ppm", "overhead_ns", "steps_back", "steps_back_across") != 4 || has(interval(o.Clocks[0], "ppm"), "center", "lo", "hi", "level", "method") != 5 {
		t.Errorf("a clock with all: %v", o.Clocks[0])
	}
	if ppm := interval(o.Clocks[3], "ppm"); has(ppm, "center", "lo", "hi") != 0 || ppm["reason"] != "it does not measure the time that passes" || has(o.Clocks[3], "steps_back_across") != 0 {
		t.Errorf("a clock of something else: %v", o.Clocks[3])
	}
	if c := o.Clocks[4]; c["available"] != false || c["reason"] == "" || has(c, "overhead_ns", "step_ns", "hz", "steps_back", "ppm") != 0 {
		t.Errorf("a clock that is not there: %v", c)
	}
	if none := interval(o.Sleeps[2], "cpu_share"); has(none, "center", "lo", "hi") != 0 || none["reason"] != "the count did not advance" || has(interval(o.Sleeps[3], "cpu_share"), "center", "lo", "hi") != 3 {
		t.Errorf("processor times: %v", o.Sleeps)
	}
	if has(o.Sleeps[0], "cpu_share", "lateness_p99_ns") != 2 || has(o.Sleeps[1], "lateness_p99_ns") != 0 {
		t.Errorf("sleeps: %v", o.Sleeps)
	}
	if l := o.Sleeps[4]; l["available"] != false || l["reason"] == "" || has(l, "lateness_p50_ns", "lateness_max_ns", "n", "cpu_share") != 0 {
		t.Errorf("a sleep that was not reached: %v", l)
	}
	if o.Counters[0]["available"] != false || o.Counters[0]["reason"] == nil || o.Counters[2]["user_only"] != true || o.Counters[3]["available"] != true {
		t.Errorf("counters: %v", o.Counters)
	}
}

func TestTheCoreIsInTheAdviceAndInJSON(t *testing.T) {
	for want, r := range map[string]neighbour.Report{
		"Another machine shares this core 63 ± 8 % of the time, which costs up to 2.4x. Measure in": surveyed().core,
		"Nothing else was seen to use this core for long.":                                          {Spins: 1000, Share: share(0.001, 0.001), Away: 0.01, Busy: share(0.01, 0.005)},
		"Whether something else uses this core cannot be told: only 3 looks at the core.":           {Spins: 3, Share: stat.Unknown("only 3 looks at the core")},
	} {
		v := surveyed()
		v.core = r
		if advice := strings.Join(v.advice(), "\n"); !strings.Contains(advice, want) {
			t.Errorf("no %q in\n%s", want, advice)
		}
		o := v.object(false).Core
		if _, known := r.Seen(); (o.Cost != nil) != (r.Factor > 0) || o.Away == nil || o.Others == nil || o.Shared.Known() != known {
			t.Errorf("%+v of %+v", o, r)
		}
	}
	if o := coreObject(neighbour.Report{Share: stat.Unknown("only 0 looks at the core")}); o.Away != nil || o.Others != nil || o.Cost != nil {
		t.Errorf("%+v of no looks", o)
	}
}

func TestCoarseStepOfTimeNowIsInTheAdvice(t *testing.T) {
	for ns, want := range map[float64]bool{10: false, 1000: false, 45_000: true, 5e5: true} {
		v := surveyed()
		v.clocks[1].Step = ns
		advice := strings.Join(v.advice(), "\n")
		if got := strings.Contains(advice, "time.Now advances in steps of "+units.Duration(ns)+","); got != want {
			t.Errorf("a step of %v ns:\n%s", ns, advice)
		}
	}
}

func TestProbeInterruptedPrintsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e bytes.Buffer
	if code := cli.Run(ctx, verbs(), []string{"probe", "--json"}, nil, &o, &e); code != session.Interrupted || e.Len() != 0 {
		t.Errorf("exit %d, %q", code, e.String())
	}
	var object probeObject
	if err := json.Unmarshal(o.Bytes(), &object); err != nil || !object.Interrupted || len(object.Counters) == 0 {
		t.Errorf("%v: %s", err, o.String())
	}
}

func TestProbeOfThisMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	name := filepath.Join(t.TempDir(), "machine.json")
	out, errout, code := strobe(t, "probe", "--json", "--bundle", name)
	var o probeObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Done || errout != "" {
		t.Fatalf("%v, exit %d, %q:\n%s", err, code, errout, out)
	}
	if len(o.Clocks) < 4 || len(o.Sleeps) < 4 || len(o.Counters) == 0 || len(o.Advice) == 0 || o.Clock.Source == "" {
		t.Errorf("%s", out)
	}
	text, err := os.ReadFile(name)
	var b bundle
	if err = errors.Join(err, json.Unmarshal(text, &b)); err != nil || b.Schema != 1 || len(b.Probe.Clocks) != len(o.Clocks) || len(b.Text) < 20 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestProbeFitsANarrowTerminal(t *testing.T) {
	for _, columns := range []int{60, 80} {
		var out bytes.Buffer
		if err := surveyed().write(&session.Session{Out: &out, Width: columns}); err != nil {
			t.Fatal(err)
		}
		clitest.Fits(t, out.String(), 60, columns)
		if left := strings.Contains(out.String(), "Omitted"); left != (columns < 67) {
			t.Errorf("%d columns:\n%s", columns, out.String())
		}
	}
}

func TestTheMachineIsDescribedByWhatLinuxTells(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string // expected lines or beginnings of lines
	}{
		{map[string]string{
			"proc/cpuinfo":              "processor\t: 0\nmodel name\t: Fast One\nflags\t\t: fpu hypervisor tsc\nmodel name\t: Other\n",
			"proc/sys/kernel/osrelease": "6.1.2-x\n",
			"proc/loadavg":              "1.25 0.50 0.25 1/100 999\n",
			"proc/self/timerslack_ns":   "50000\n",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
			"sys/class/dmi/id/sys_vendor":                                     "QEMU\n",
		}, []string{"strobe v1" + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH,
			"processor Fast One, ", "kernel 6.1.2-x, clocksource hpet, timer slack 50 µs", "hypervisor QEMU", "load 1.25 over"}},
		{map[string]string{"proc/cpuinfo": "processor\t: 0\nModel\t\t: Board 4\n", "sys/hypervisor/type": "xen\n"}, []string{"processor Board 4, ", "hypervisor xen"}},
		{map[string]string{"proc/cpuinfo": "cpu model\t: Slow One\nflags : hypervisor\n"}, []string{"processor Slow One, ", "hypervisor present, name unknown"}},
	} {
		root := t.TempDir()
		for name, text := range c.files {
			file := filepath.Join(root, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		var p layout.Printer
		m := host.Describe(root, "v1")
		describeMachine(&m, &p)
		text := strings.Join(strings.Fields(p.String()), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		}
	}
	m := host.Describe(t.TempDir(), "v1")
	object, err := json.Marshal(m)
	if err != nil || strings.Contains(string(object), "kernel") || strings.Contains(string(object), "load") || m.CPUs < 1 {
		t.Errorf("a system that tells nothing: %v, %s", err, object)
	}
}

// share returns a share of processor time with the step of its count.
func share(x, step float64) stat.Interval {
	return stat.Interval{Center: x, Lo: max(0, x-step), Hi: x + step, Level: 1, Method: "count", N: 10}
}

func TestProcessorTimeIsNeverNegative(t *testing.T) {
	for want, l := range map[string]pace.Lateness{
		"0.4 [0, 0.8] %": {CPU: share(0.003885, 0.004)},
		"5 [0, 14] %":    {CPU: share(0.05494, 0.09)},
		"31 ± 9 %":       {CPU: share(0.31, 0.094)},
		"4.0 %":          {CPU: share(0.04, 0.0001)},
	} {
		if got := (sleepFound{Lateness: l}).cpu(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

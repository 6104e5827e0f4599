// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/perf"
)

// A survey has the results so far.
type survey struct {
	machine  probeMachine
	now      clock.Info
	clocks   []clockFound
	sleeps   []sleepFound
	counters []perf.Value
	core     neighbour.Report
}

type clockFound struct {
	clock.Granularity
	slow bool // measures something other than time
	call bool // a reading is a system call
	err  error
}

type sleepFound struct {
	pace.Lateness
	err error
}

// patience limits the duration of a survey. What it has not measured by then is left out, with errPatience as the reason.
const patience = 4800 * time.Millisecond

var errPatience = errors.New("not measured: the survey ran out of time")

// waits are the requested durations of sleeps, and how often each is measured.
var waits = [...]struct {
	period time.Duration
	n      int
}{{100 * time.Microsecond, 100}, {time.Millisecond, 100}, {time.Second / 60, 10}}

// few is the number of waits below which there is no 99th percentile.
const few = 100

// gather surveys the machine until it is done or the session is interrupted. Counters come first: they take no time.
func gather(s *session.Session) *survey {
	v := &survey{machine: describeMachine("/")}
	p := s.Progress()
	defer p.Clear()
	p.Show("counters")
	v.counters = perf.Check()
	p.Show("core")
	v.core = watchCore(s.Ctx)
	v.now = clock.Describe()
	ctx, cancel := context.WithTimeoutCause(s.Ctx, patience, errPatience)
	defer cancel()
	sources := clock.Sources()
	for i, source := range sources {
		p.Show("clock %d of %d: %s", i+1, len(sources), source.Name)
		g, err := clock.Probe(ctx, source)
		if s.Interrupted() {
			return v
		}
		g.Name = source.Name
		v.clocks = append(v.clocks, clockFound{g, source.Slow, source.Call, outOf(ctx, err)})
	}
	v.now = clock.Describe() // the rate is more exact by now
	ways := pace.Ways()
	for _, wait := range waits {
		for i, way := range ways {
			p.Show("sleep of %v, %d of %d: %s", wait.period, i+1, len(ways), way.Name)
			way.Period, way.N = wait.period, wait.n
			l, err := pace.Probe(ctx, way)
			if s.Interrupted() {
				return v
			}
			v.sleeps = append(v.sleeps, sleepFound{l, outOf(ctx, err)})
		}
	}
	return v
}

// watching is how long the survey watches its core: many times as long as the core is usually alone, or shared.
const watching = 300 * time.Millisecond

// watchCore looks whether something else uses the physical core of this thread.
func watchCore(ctx context.Context) neighbour.Report {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var w neighbour.Watch
	for start := clock.Now(); clock.Since(start) < watching && ctx.Err() == nil; {
		w.Look()
	}
	return w.Report()
}

// outOf returns why ctx ended, if that caused err.
func outOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// answerOf describes whether an event can be counted, or why not.
func answerOf(v perf.Value) string {
	why := v.Reason
	if v.Remedy != "" {
		why += "; " + v.Remedy
	}
	switch {
	case !v.Known():
		return "no, " + why
	case v.UserOnly:
		return "in user mode only; " + why
	case v.Count == 0:
		return "yes, but none were counted in the trial"
	case v.Source == "rusage" || v.Source == "clock":
		return "yes, from getrusage and the thread's clock"
	}
	return "yes"
}

// A probeMachine describes the machine. Unknown properties are absent.
type probeMachine struct {
	Strobe      string   `json:"strobe"`                   // version of strobe
	Go          string   `json:"go"`                       // version of Go
	OS          string   `json:"os"`                       // GOOS
	Arch        string   `json:"arch"`                     // GOARCH
	CPUs        int      `json:"cpus"`                     // processors that this process may use
	Processor   string   `json:"processor,omitempty"`      // its model
	Kernel      string   `json:"kernel,omitempty"`         // release of the kernel
	Clocksource string   `json:"clocksource,omitempty"`    // clock that the kernel uses
	Hypervisor  string   `json:"hypervisor,omitempty"`     // of a virtual machine
	Load        *float64 `json:"load,omitempty"`           // mean number of processes that ran or waited to run, over the last minute
	Slack       *int64   `json:"timer_slack_ns,omitempty"` // by how much the kernel may delay a timer of this thread
}

// describeMachine reads the files with which Linux describes the machine, below root, which is "/" in a running system. Other
// systems have no such files.
func describeMachine(root string) probeMachine {
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(root, name))
		return strings.TrimSpace(string(text))
	}
	m := probeMachine{Strobe: session.Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Kernel: read("proc/sys/kernel/osrelease"), Clocksource: read("sys/devices/system/clocksource/clocksource0/current_clocksource")}
	virtual := false
	for line := range strings.Lines(read("proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); {
		case m.Processor == "" && (key == "model name" || key == "Model" || key == "cpu model"):
			m.Processor = value
		case key == "flags":
			virtual = virtual || strings.Contains(" "+value+" ", " hypervisor ")
		}
	}
	m.Hypervisor = read("sys/hypervisor/type")
	if m.Hypervisor == "" && virtual {
		m.Hypervisor = strings.TrimSpace(read("sys/class/dmi/id/sys_vendor") + " " + read("sys/class/dmi/id/product_name"))
		if m.Hypervisor == "" {
			m.Hypervisor = "present, name unknown"
		}
	}
	first, _, _ := strings.Cut(read("proc/loadavg"), " ")
	if load, err := strconv.ParseFloat(first, 64); err == nil {
		m.Load = &load
	}
	if slack, err := strconv.ParseInt(read("proc/self/timerslack_ns"), 10, 64); err == nil {
		m.Slack = &slack
	}
	return m
}

// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A process is one run of a test binary.
type process struct {
	binary, dir string
	pattern     string // of benchmarks
	iterations  int    // calls of each in a block; 0 for as many as take findFor
	blocks      int    // each is timed by itself
	processors  int    // GOMAXPROCS; 0 for as many as there are
	timeout     time.Duration
	long        bool      // its calls are made in one go, with as many processors as there are
	traced      bool      // count the collections
	from        string    // a line that it prints before the first call, and with the result; empty if nobody asks what is used in between
	more        []string  // further arguments
	machine     *emulator // counts instructions; nil for time on this machine
}

// kind returns what the process is for: blocks, a long run, or one of few calls beside it.
func (p process) kind() string {
	switch {
	case p.traced:
		return "long"
	case p.long:
		return "few"
	}
	return "blocks"
}

// A printout is what a run printed.
type printout struct {
	values      []values // one a benchmark and block
	noise       bool     // something other than results was printed
	failed      bool     // a benchmark did, perhaps in one of its blocks
	run         command.Run
	collections int // of a process that is traced: those that it did not ask for
}

// values are one result.
type values struct {
	name       string // without "Benchmark" and the number of processors
	calls      int
	ns, allocs float64            // ns are instructions in the emulated machine
	timed      bool               // it has ns
	more       map[metric]float64 // all others
}

// A tail keeps the end of what is written.
type tail struct{ bytes.Buffer }

// most is how much output is kept.
const most = 1 << 20

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if over := t.Len() - most; over > most {
		t.Next(over)
	}
	return len(p), nil
}

// A gcTrace counts the collections that a runtime reports, and keeps the end of what else is written.
type gcTrace struct {
	collections int // those that the program did not ask for
	line        []byte
	rest        tail
}

// Write implements io.Writer.
func (t *gcTrace) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		if t.line = append(t.line, part...); !bytes.HasSuffix(part, []byte("\n")) && len(t.line) < most {
			break
		}
		switch {
		case !bytes.HasPrefix(t.line, []byte("gc ")) || !bytes.Contains(t.line, []byte(" @")):
			t.rest.Write(t.line)
		case !bytes.Contains(t.line, []byte("(forced)")):
			t.collections++
		}
		t.line = t.line[:0]
	}
	return len(p), nil
}

// exec runs the process. An error that is not that of ctx says in a few words what happened to it, such as "panicked: ...".
func (p process) exec(ctx context.Context) (printout, error) {
	processors, benchtime := p.processors, fmt.Sprintf("%dx", p.iterations)
	if processors == 0 {
		processors = runtime.GOMAXPROCS(0)
	}
	if p.iterations == 0 {
		benchtime = p.machine.findFor().String()
	}
	if p.machine != nil {
		processors = 1
	}
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	text, collections, run, err := p.run(limited, append([]string{"-test.run=^$", "-test.bench=" + p.pattern, "-test.benchtime=" + benchtime, fmt.Sprintf("-test.count=%d", p.blocks),
		"-test.benchmem", "-test.v", "-test.paniconexit0", fmt.Sprintf("-test.cpu=%d", processors), "-test.timeout=0"}, p.more...))
	out := parse(text, processors)
	out.run, out.collections = run, collections
	switch broken := (*command.Failure)(nil); {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil:
		return out, fmt.Errorf("took longer than %v", p.timeout)
	case errors.As(err, &broken):
		return out, errors.New(why(string(text), broken.Why))
	}
	if err == nil && out.failed { // which does not always show in the exit code
		err = errors.New(why(string(text), "failed"))
	}
	return out, err
}

// run runs the program with these arguments and returns what it printed.
func (p process) run(ctx context.Context, args []string) (text []byte, collections int, r command.Run, err error) {
	if p.machine != nil {
		text, err = p.machine.run(ctx, p.dir, p.binary, args)
		return text, 0, command.Run{}, err
	}
	var out tail
	var trace gcTrace
	program := command.Program{Args: append([]string{p.binary}, args...), Dir: p.dir, Output: &out, Watch: true, From: p.from}
	if p.traced { // apart, since it might divide a result
		program.Errors, program.Env = &trace, []string{traceCollections()}
	}
	program.Events = append(program.Events, userInstructions, migrations)
	r, err = program.Exec(ctx)
	out.Write(append(trace.rest.Bytes(), trace.line...))
	return out.Bytes(), trace.collections, r, err
}

// traceCollections returns the environment in which the runtime reports each collection.
func traceCollections() string {
	setting := "gctrace=1"
	if others := os.Getenv("GODEBUG"); others != "" {
		setting = others + "," + setting
	}
	return "GODEBUG=" + setting
}

// list returns the names of the top-level benchmarks, without "Benchmark". The error is that of a TestMain or an init that fails.
func (p process) list(ctx context.Context) (tops []string, err error) {
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	text, _, _, err := p.run(limited, []string{"-test.list=^Benchmark"})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, errors.New(why(string(text), fmt.Sprintf("its tests cannot be listed: %v", err)))
	}
	for line := range strings.Lines(string(text)) {
		if top, ok := strings.CutPrefix(strings.TrimSpace(line), "Benchmark"); ok && !strings.ContainsAny(top, " \t") {
			tops = append(tops, top)
		}
	}
	return tops, nil
}

// processorTime returns that of a whole process, ns.
func processorTime(r *command.Run) float64 { return float64(r.User + r.System) }

// least returns the least time and number of allocations of a benchmark among the blocks, the means of its other values, and how many
// blocks have a time.
func (o printout) least(name string) (v values, blocks int) {
	more, of := map[metric]float64{}, map[metric]int{}
	for _, x := range o.values {
		if x.name != name || !x.timed {
			continue
		}
		if blocks++; blocks == 1 {
			v = x
		}
		v.ns, v.allocs = min(v.ns, x.ns), min(v.allocs, x.allocs)
		for k, value := range x.more {
			more[k] += value
			of[k]++
		}
	}
	for k, n := range of {
		more[k] /= float64(n)
	}
	v.more = more
	return v, blocks
}

// parse reads results. What a benchmark prints without a newline precedes its result, on the same line.
func parse(text []byte, processors int) (out printout) {
	var clean bytes.Buffer
	for line := range bytes.Lines(text) {
		at := bytes.Index(line, []byte("Benchmark"))
		switch trimmed := strings.TrimSpace(string(line)); {
		case strings.HasPrefix(trimmed, "--- FAIL: Benchmark"):
			out.failed = true
		case at >= 0:
			out.noise = out.noise || at > 0
			clean.Write(line[at:])
		case !quiet(trimmed):
			out.noise = true
		}
	}
	f, err := benchtext.Read(&clean)
	if err != nil {
		return out
	}
	suffix := ""
	if processors > 1 {
		suffix = fmt.Sprintf("-%d", processors)
	}
	for _, r := range f.Results {
		v := values{name: strings.TrimSuffix(r.Name, suffix), calls: r.Iters, more: map[metric]float64{}}
		cost, ok := r.Cost()
		if v.ns, v.timed = cost.Value, ok; cost.Unit == "sec/op" {
			v.ns *= 1e9
		}
		for _, x := range r.Values {
			if x.Unit == "allocs/op" {
				v.allocs = x.Value
			}
			if x != cost {
				v.more[metricOf(x.Unit)] = x.Value
			}
		}
		out.values = append(out.values, v)
	}
	return out
}

// quiet reports whether a line is one that every run prints.
func quiet(line string) bool {
	for _, start := range []string{"goos: ", "goarch: ", "pkg: ", "cpu: ", "PASS", "Unit ", "=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return line == ""
}

// why says what happened to a run, by its output: the panic or the failed check rather than the exit code.
func why(text, otherwise string) string {
	failed, last := false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, "panic: "); i > 0 && strings.HasPrefix(line, "Benchmark") { // which has begun its line
			line = line[i:]
		}
		switch {
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "):
			return "panicked: " + strings.TrimPrefix(line, "panic: ")
		case strings.HasPrefix(line, "--- FAIL"):
			failed = true
		case line != "FAIL" && !strings.HasPrefix(line, "Benchmark") && !quiet(line):
			last = line
		}
	}
	if failed {
		otherwise = "failed"
	}
	if last == "" {
		return otherwise
	}
	return otherwise + ": " + last
}

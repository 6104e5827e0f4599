// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	iterations  int    // calls of each in a block
	blocks      int    // each is timed by itself
	timeout     time.Duration
	more        []string // further arguments
}

// A printout is what a run printed.
type printout struct {
	values []values // one a benchmark
	noise  bool     // something other than results was printed
	run    command.Run
}

// values are one result.
type values struct {
	name       string // without "Benchmark" and the number of processors
	ns, allocs float64
	timed      bool // it has ns
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

// exec runs the process. An error that is not that of ctx says in a few words what happened to it, such as "panicked: ...".
func (p process) exec(ctx context.Context) (printout, error) {
	processors := runtime.GOMAXPROCS(0)
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	var text tail
	args := append([]string{p.binary, "-test.run=^$", "-test.bench=" + p.pattern, fmt.Sprintf("-test.benchtime=%dx", p.iterations), fmt.Sprintf("-test.count=%d", p.blocks),
		"-test.benchmem", "-test.v", fmt.Sprintf("-test.cpu=%d", processors), "-test.timeout=0"}, p.more...)
	run, err := (&command.Program{Args: args, Dir: p.dir, Output: &text}).Exec(limited)
	out := parse(text.Bytes(), processors)
	out.run = run
	switch broken := (*command.Failure)(nil); {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil:
		return out, fmt.Errorf("took longer than %v", p.timeout)
	case errors.As(err, &broken):
		return out, errors.New(why(text.String(), broken.Why))
	}
	return out, err
}

// least returns the least of each value of a benchmark among the blocks.
func (o printout) least(name string) (v values, ok bool) {
	for _, x := range o.values {
		switch {
		case x.name != name || !x.timed:
		case !ok:
			v, ok = x, true
		default:
			v.ns, v.allocs = min(v.ns, x.ns), min(v.allocs, x.allocs)
		}
	}
	return v, ok
}

// parse reads results. What a benchmark prints without a newline stands before its result, on the same line.
func parse(text []byte, processors int) (out printout) {
	var clean bytes.Buffer
	for line := range bytes.Lines(text) {
		at := bytes.Index(line, []byte("Benchmark"))
		switch trimmed := strings.TrimSpace(string(line)); {
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
		v := values{name: strings.TrimSuffix(r.Name, suffix)}
		for _, x := range r.Values {
			switch x.Unit {
			case "sec/op":
				v.ns, v.timed = 1e9*x.Value, true
			case "allocs/op":
				v.allocs = x.Value
			}
		}
		out.values = append(out.values, v)
	}
	return out
}

// quiet reports whether a line is one that every run prints.
func quiet(line string) bool {
	for _, start := range []string{"goos: ", "goarch: ", "pkg: ", "cpu: ", "PASS", "=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "} {
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

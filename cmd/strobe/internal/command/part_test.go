// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"github.com/strobe-go/strobe/perf"
)

// An echo is a writer that answers each text with a line, so that the program goes on when its output was seen.
type echo struct {
	bytes.Buffer
	to *os.File
}

func (e *echo) Write(p []byte) (int, error) {
	e.to.WriteString("\n")
	return e.Buffer.Write(p)
}

// What a program used before the first line and after the last one is not in the part. The loop within it is a fifth of the others.
func TestAPartOfARunLeavesTheRestOut(t *testing.T) {
	in, to := toShell(t)
	out := &echo{to: to}
	const script = `burn() { i=0; while [ $i -lt $1 ]; do i=$((i+1)); done; }
burn 50000; echo part; read x; burn 20000; echo "part ends"; read x; burn 50000`
	p := Program{Args: []string{"sh", "-c", script}, Input: in, Output: out, Watch: true, From: "part", Events: []perf.Event{taskClock}}
	r, err := p.Exec(t.Context())
	if err != nil || out.String() != "part\npart ends\n" {
		t.Fatalf("%v, %q", err, out.String())
	}
	if live := runtime.GOOS == "linux" && perfIsOpen(); !live {
		if r.Part != nil {
			t.Errorf("%+v is known where the system does not say", *r.Part)
		}
		return
	}
	if r.Part == nil {
		t.Fatalf("unknown: %v", r.Counts.Get(taskClock))
	}
	all := r.User + r.System
	if x := r.Part; x.Processor <= 0 || 2*x.Processor > all || x.After <= x.Processor || x.Processor+x.After > all || x.Wall <= 0 || x.Wall > r.Wall || x.Queued >= 1 || x.Queued < 0 && x.Queued != -1 {
		t.Errorf("%+v of %v, %v of processor time", *x, r.Wall, all)
	}
}

// perfIsOpen reports whether the kernel counts the processor time of other processes while they run.
func perfIsOpen() bool {
	g, err := perf.Open(perf.Command, "cpu-migrations")
	g.Close()
	return err == nil
}

func TestAPartBeginsWithALineOfItsOwn(t *testing.T) {
	g, err := perf.Open(perf.Process, taskClock)
	if err != nil {
		t.Skip(err)
	}
	defer g.Close()
	all := g.Start()
	for range 1000 {
		runtime.Gosched()
	}
	for _, c := range []struct {
		text   string
		begins bool
	}{
		{"part\n", true},
		{"before\npart\n", true},
		{"part", false},
		{"a part\n", false},
		{"part\nand more\n", false},
		{"parts\n", false},
		{"", false},
	} {
		x := &part{line: "part", counters: g, all: all}
		if got := x.begin([]byte(c.text)); got != c.begins {
			t.Errorf("%q: %v", c.text, got)
		}
		x.end([]byte("other\n"))
		if x.found != nil {
			t.Errorf("%q ended by another line: %+v", c.text, *x.found)
		}
		if ends := x.end([]byte("other\npart-2 12 ns\n")); ends != c.begins || (x.found != nil) != c.begins {
			t.Errorf("%q: found %+v", c.text, x.found)
		}
		if c.begins && (x.begin([]byte("part\n")) || x.end([]byte("part\n"))) {
			t.Errorf("%q: begun or ended twice", c.text)
		}
	}
	for _, c := range []struct {
		sum  task
		want float64
	}{{task{80, 20}, 0.25}, {task{50, 10}, -1}} { // nothing was seen, which is not the same as no waiting
		x := &part{line: "part", counters: g, all: all, before: task{50, 10}}
		x.begin([]byte("part\n"))
		x.end([]byte("part\n"))
		if x.queued(c.sum); x.found.Queued != c.want {
			t.Errorf("%+v, want %v", x.found, c.want)
		}
	}
	x := &part{line: "part", counters: g, all: all}
	if x.begin([]byte("part\n")); x.finish() != nil {
		t.Error("found without an end")
	}
	for x.end([]byte("part\n")); x.since.Stop().Get(taskClock).Count <= uint64(x.found.Processor); {
	}
	if got := x.finish(); got == nil || got.After <= 0 {
		t.Errorf("%+v", got)
	}
	var zero *perf.Group
	x = &part{line: "part", counters: zero, all: zero.Start()}
	if x.begin([]byte("part\n")) {
		t.Error("begun without a counter")
	}
	var none *part
	if none.end([]byte("part\n")) || none.begin([]byte("part\n")) || none.finish() != nil {
		t.Error("begun, though nobody asks for it")
	}
}

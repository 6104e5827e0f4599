// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25 && unix

package account

import (
	"bytes"
	"io"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// Without the kernel's samples, those of a profiler that runs anyway name the function.
func TestAProfilerNamesTheFunction(t *testing.T) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute})
	if err := r.Start(); err != nil {
		t.Skip("a flight recorder is running: ", err)
	}
	defer r.Stop()
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip("a profiler is running: ", err)
	}
	burns(200 * time.Millisecond)
	pprof.StopCPUProfile()
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	tr, err := gotrace.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var id int64
	for _, s := range tr.Samples {
		for _, f := range tr.Stack(s.Stack) {
			if strings.HasSuffix(f.Function, ".burns") {
				id = s.Goroutine
			}
		}
	}
	w := NewWindow(Sources{Trace: tr})
	a := w.Of(Unit{Goroutine: id, Interval: Interval{tr.From, tr.To}})
	for _, p := range a.Parts {
		if p.Cause == Own && strings.HasSuffix(p.Where, "account.burns") {
			return
		}
	}
	t.Errorf("goroutine %d, %d samples: %+v", id, len(tr.Samples), a.Parts)
}

// burns uses a processor for that long.
//
//go:noinline
func burns(d time.Duration) (n int) {
	used := func() (u syscall.Rusage) { syscall.Getrusage(syscall.RUSAGE_SELF, &u); return }
	begin := used()
	for {
		for i := range 1_000_000 {
			n += n * i
		}
		if now := used(); time.Duration(now.Utime.Nano()-begin.Utime.Nano()) > d {
			return n
		}
	}
}

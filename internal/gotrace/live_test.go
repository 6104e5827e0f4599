// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// To make one of testdata anew: GOTOOLCHAIN=go1.27.4 go test -run Planted . -args -golden $PWD/testdata/go1.27.gz
var golden = flag.String("golden", "", "write the trace that TestPlantedWaitsAreFound makes to this file")

func TestPlantedWaitsAreFound(t *testing.T) {
	var planted map[string]span
	data := record(t, func(generation func()) { planted = plant(t, generation) })
	tr, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	checkPartition(t, tr)
	checkPlanted(t, tr, func(f string) bool {
		_, ok := planted[f]
		return ok || f == "yields" || f == "preempted" && runtime.GOARCH != "wasm"
	})
	for function, s := range planted {
		steps, next := tr.find(Waiting, function)
		for i := range steps {
			if took := next[i].At - steps[i].At; took > Time(s.to.Sub(s.from)) {
				t.Errorf("%s: waited for %d ns of %v", function, took, s.to.Sub(s.from))
			}
		}
	}
	if *golden != "" {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		z.Write(data)
		z.Close()
		if err := os.WriteFile(*golden, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// By tells the deadline of a context from what another goroutine does.
func TestATimersGoroutineIsCreatedByNone(t *testing.T) {
	data := record(t, func(func()) {
		fired := make(chan int)
		time.AfterFunc(time.Millisecond, func() { sends(fired) })
		<-fired
		go func() { sends(fired) }()
		<-fired
	})
	tr, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var byTimer, byGoroutine int
	for _, g := range tr.Goroutines {
		s := g.Steps[0]
		switch {
		case !tr.in(s.Stack, "TestATimersGoroutineIsCreatedByNone.func1.1") && !tr.in(s.Stack, "TestATimersGoroutineIsCreatedByNone.func1.2"):
		case s.State != Runnable || s.Reason != "created":
			t.Errorf("goroutine %d begins with %+v", g.ID, s)
		case s.By == 0:
			byTimer++
		default:
			byGoroutine++
		}
	}
	if byTimer != 1 || byGoroutine != 1 {
		t.Errorf("%d goroutines of timers and %d of goroutines, want one each", byTimer, byGoroutine)
	}
}

// goldens returns the traces of testdata by Go's version.
func goldens(t testing.TB) map[string][]byte {
	files, err := filepath.Glob("testdata/go*.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no traces in testdata: ", err)
	}
	all := make(map[string][]byte)
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(file, err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".gz")] = data
	}
	return all
}

func TestTracesOfEveryVersion(t *testing.T) {
	all := goldens(t)
	for _, version := range []string{"go1.24", "go1.25", "go1.26", "go1.27"} {
		if all[version] == nil {
			t.Errorf("testdata has no trace of %s", version)
		}
	}
	for version, data := range all {
		t.Run(version, func(t *testing.T) {
			tr, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[string]string{"go1.24": "go1.23", "go1.27": "go1.26"}[version]; tr.Version != version && tr.Version != want {
				t.Errorf("the header says %s", tr.Version)
			}
			checkPartition(t, tr)
			checkPlanted(t, tr, func(string) bool { return true })
			for _, reason := range []string{"GC (idle)", "created", "syscall exit"} {
				if !slices.ContainsFunc(tr.Goroutines, func(g Goroutine) bool {
					return slices.ContainsFunc(g.Steps, func(s Step) bool { return s.Reason == reason })
				}) {
					t.Errorf("no step has the reason %q", reason)
				}
			}
			if !slices.ContainsFunc(tr.Ranges, func(r Range) bool { return r.Kind == Assist }) {
				t.Error("no assist")
			}
		})
	}
}

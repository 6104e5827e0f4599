// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	rt "runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/exp/trace"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// A change is a step of a goroutine, as both readers tell it.
type change struct {
	at, late gotrace.Time // theirs may be up to late: it moves all that follows a state that was written late
	what     string
}

// theirs returns what golang.org/x/exp/trace says.
func theirs(t testing.TB, data []byte) (steps map[int64][]change, ranges, heap []change, samples []string) {
	r, err := trace.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	steps = make(map[int64][]change)
	var latest gotrace.Time
	running := make(map[int64]int) // the step that a label belongs to
	for {
		e, err := r.ReadEvent()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		c := change{at: gotrace.Time(e.Time())}
		switch e.Kind() {
		case trace.EventStateTransition:
			s := e.StateTransition()
			if s.Resource.Kind != trace.ResourceGoroutine {
				if from, to := s.Proc(); from == to || from == trace.ProcUndetermined {
					latest = c.at
				}
				continue
			}
			id := int64(s.Resource.Goroutine())
			from, to := s.Goroutine()
			if from == to || from == trace.GoUndetermined {
				latest = c.at
			}
			if from == to {
				continue
			}
			var stack, by string
			if from != trace.GoUndetermined {
				stack = functions(s.Stack)
			}
			if waker := e.Goroutine(); from == trace.GoWaiting && to == trace.GoRunnable || from == trace.GoNotExist && to != trace.GoSyscall {
				by = fmt.Sprint(max(waker, 0), functions(e.Stack()))
			}
			c.late = latest
			c.what = fmt.Sprintf("%v %q %s, %s", to, s.Reason, stack, by)
			running[id] = len(steps[id])
			steps[id] = append(steps[id], c)
		case trace.EventLabel:
			id := int64(e.Goroutine())
			last := &steps[id][running[id]]
			last.what = strings.Replace(last.what, `""`, fmt.Sprintf("%q", e.Label().Label), 1)
		case trace.EventRangeBegin, trace.EventRangeEnd:
			c.what, c.late = fmt.Sprint(e.Kind(), e.Range().Name), latest
			ranges = append(ranges, c)
		case trace.EventMetric:
			if m := e.Metric(); m.Name == "/memory/classes/heap/objects:bytes" {
				c.what, c.late = fmt.Sprint(m.Value.Uint64(), max(e.Goroutine(), 0)), latest
				heap = append(heap, c)
			}
		case trace.EventStackSample:
			samples = append(samples, fmt.Sprint(max(e.Goroutine(), 0), e.Thread(), e.Proc(), functions(e.Stack())))
		}
	}
}

func functions(s trace.Stack) string {
	var all []string
	for f := range s.Frames() {
		all = append(all, fmt.Sprintf("%s:%d", f.Func, f.Line))
	}
	return strings.Join(all, " ")
}

// ours returns what internal/gotrace says, in the same words.
func ours(t testing.TB, data []byte) (steps map[int64][]change, ranges, heap []change, samples []string) {
	tr, err := gotrace.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	stack := func(id gotrace.StackID) string {
		var all []string
		for _, f := range tr.Stack(id) {
			all = append(all, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		return strings.Join(all, " ")
	}
	steps = make(map[int64][]change)
	words := map[string]string{"created": "", "unblocked": "", "syscall exit": "", "coroutine": "", "yield": "runtime.Gosched"}
	states := [...]trace.GoState{gotrace.Running: trace.GoRunning, gotrace.Runnable: trace.GoRunnable, gotrace.Waiting: trace.GoWaiting,
		gotrace.Syscall: trace.GoSyscall, gotrace.Gone: trace.GoNotExist}
	for _, g := range tr.Goroutines {
		for i, s := range g.Steps {
			first := i == 0 && s.At == tr.From
			reason, ok := words[s.Reason]
			if !ok {
				reason = s.Reason
			}
			var by string
			if !first && s.State == gotrace.Running && g.Steps[i-1].State == gotrace.Waiting { // theirs has a step more
				steps[g.ID] = append(steps[g.ID], change{at: s.At, what: fmt.Sprintf("%v %q , %d", trace.GoRunnable, "", s.By)})
			} else if s.Reason == "unblocked" || s.Reason == "created" || i == 0 && s.Reason == "coroutine" {
				by = fmt.Sprint(s.By, stack(s.ByStack))
			}
			where := stack(s.Stack)
			if first || len(g.Steps) > 0 && s.Reason == "" && s.State == gotrace.Waiting {
				where = ""
			}
			steps[g.ID] = append(steps[g.ID], change{at: s.At, what: fmt.Sprintf("%v %q %s, %s", states[s.State], reason, where, by)})
		}
	}
	for _, r := range tr.Ranges {
		if r.From > tr.From {
			ranges = append(ranges, change{at: r.From, what: fmt.Sprint(trace.EventRangeBegin, r.Name)})
		}
		if r.To < tr.To {
			ranges = append(ranges, change{at: r.To, what: fmt.Sprint(trace.EventRangeEnd, r.Name)})
		}
	}
	for _, h := range tr.Heap {
		heap = append(heap, change{at: h.At, what: fmt.Sprint(h.Live, h.Goroutine)})
	}
	for _, s := range tr.Samples {
		samples = append(samples, fmt.Sprint(s.Goroutine, s.Thread, s.Proc, stack(s.Stack)))
	}
	return
}

// TestOurReaderOfTracesAgreesWithGos compares all changes of goroutines, all ranges and all sizes of the heap.
func TestOurReaderOfTracesAgreesWithGos(t *testing.T) {
	traces := map[string][]byte{"live": live(t)}
	files, _ := filepath.Glob("../../internal/gotrace/testdata/go*.gz")
	for _, file := range files {
		packed, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		z, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		if traces[filepath.Base(file)], err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	if len(traces) < 5 {
		t.Fatalf("%d traces", len(traces))
	}
	for name, data := range traces {
		t.Run(name, func(t *testing.T) {
			steps, ranges, heap, samples := ours(t, data)
			wantSteps, wantRanges, wantHeap, wantSamples := theirs(t, data)
			total := 0
			for id, want := range wantSteps {
				total += compare(t, fmt.Sprint("goroutine ", id), steps[id], want)
				if len(steps[id]) == 0 {
					t.Errorf("goroutine %d is missing", id)
				}
			}
			if len(steps) != len(wantSteps) {
				t.Errorf("%d goroutines, want %d", len(steps), len(wantSteps))
			}
			byTime := func(a, b change) int {
				if a.at != b.at {
					return int(a.at - b.at)
				}
				return strings.Compare(a.what, b.what)
			}
			slices.SortFunc(ranges, byTime)
			slices.SortStableFunc(wantRanges, byTime)
			counts := make(map[string]int)
			for _, r := range ranges {
				counts[r.what]++
			}
			for _, r := range wantRanges {
				counts[r.what]--
			}
			for what, n := range counts {
				if n != 0 {
					t.Errorf("%s: %+d", what, n)
				}
			}
			compare(t, "heap", heap, wantHeap)
			slices.Sort(samples)
			slices.Sort(wantSamples)
			if !slices.Equal(samples, wantSamples) || name == "live" && len(samples) == 0 {
				t.Errorf("%d samples, want %d", len(samples), len(wantSamples))
			}
			t.Logf("%d changes of %d goroutines, %d ends of ranges, %d sizes of the heap, %d samples", total, len(steps), len(ranges), len(heap), len(samples))
		})
	}
}

func compare(t *testing.T, what string, ours, theirs []change) int {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Errorf("%s: %d changes, want %d", what, len(ours), len(theirs))
		return 0
	}
	for i, want := range theirs {
		got := ours[i]
		if got.what != want.what {
			t.Errorf("%s, change %d:\n%s\nwant\n%s", what, i, got.what, want.what)
			break
		}
		// Theirs adds a nanosecond to each event at the same time as the one before.
		if first := i == 0 && got.at < want.at; !first && (got.at > want.at || want.at > max(got.at, want.late)+2000) {
			t.Errorf("%s, change %d (%s) is at %d, want %d (late %d)", what, i, got.what, got.at, want.at, want.late)
			break
		}
	}
	return len(ours)
}

// live is the trace of a busy program of some generations, which is being profiled.
func live(t testing.TB) []byte {
	r := rt.NewFlightRecorder(rt.FlightRecorderConfig{MinAge: time.Minute, MaxBytes: 32 << 20})
	if err := r.Start(); err != nil {
		t.Skip("a flight recorder is running: ", err)
	}
	defer r.Stop()
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Log("no samples: ", err)
	}
	for range 3 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range 8 {
			ping, pong := make(chan int), make(chan int)
			wg.Go(func() {
				defer close(ping)
				for i := range 2000 {
					ping <- i
					<-pong
				}
			})
			wg.Go(func() {
				for i := range ping {
					if i%50 == 0 {
						mu.Lock()
						time.Sleep(10 * time.Microsecond)
						mu.Unlock()
						f, _ := os.Open(os.DevNull)
						f.Close()
					}
					pong <- len(make([]byte, 1000))
				}
			})
		}
		wg.Wait()
		r.WriteTo(io.Discard)
	}
	pprof.StopCPUProfile()
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// BenchmarkTrace reads the same trace.
func BenchmarkTrace(b *testing.B) {
	data := live(b)
	events := 0
	count := func(b *testing.B) {
		r, err := trace.NewReader(bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		for events = 0; ; events++ {
			if _, err := r.ReadEvent(); err == io.EOF {
				return
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	count(b)
	per := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(events), "ns/event") }
	b.Run("gotrace.Read", func(b *testing.B) {
		for b.Loop() {
			if _, err := gotrace.Read(data); err != nil {
				b.Fatal(err)
			}
		}
		per(b)
	})
	b.Run("exp-trace", func(b *testing.B) {
		for b.Loop() {
			count(b)
		}
		per(b)
	})
}

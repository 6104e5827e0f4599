// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

func TestAnUnknownVersionIsNamed(t *testing.T) {
	for _, header := range []string{"go 1.21", "go 1.24", "go 1.29"} {
		_, err := Read([]byte(header + " trace\x00\x00\x00"))
		if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), strings.Replace(header, "go", "Go", 1)) {
			t.Errorf("%s: %v", header, err)
		}
	}
	for _, data := range []string{
		"", "go 1.26 trace\x00\x00", "go 1.26 truck\x00\x00\x00", "go x.26 trace\x00\x00\x00", "go 1.-6 trace\x00\x00\x00",
	} {
		if tr, err := Read([]byte(data)); err == nil || errors.Is(err, ErrVersion) {
			t.Errorf("%q: %v, %v", data, tr, err)
		}
	}
}

func TestATraceWithoutEventsIsEmpty(t *testing.T) {
	tr, err := Read([]byte("go 1.26 trace\x00\x00\x00"))
	if err != nil || len(tr.Goroutines) != 0 || tr.From != tr.To || tr.Goroutine(1) != nil || tr.Stack(1) != nil {
		t.Errorf("%+v, %v", tr, err)
	}
}

// Before Go 1.26 a trace does not say where it ends. Cut off between two batches, it may look whole.
func TestATraceThatIsCutOffIsAnError(t *testing.T) {
	race.Sequential(t)
	for version, data := range goldens(t) {
		whole := ends(t, data)
		for n := len(data) - 1; n > 16; n -= 1 + n/300 {
			_, err := Read(slices.Clip(data[:n]))
			switch {
			case slices.Contains(whole, n):
				if err != nil {
					t.Errorf("%s, %d whole bytes: %v", version, n, err)
				}
			case err == nil && version >= "go1.26":
				t.Errorf("%s: no error after %d of %d bytes", version, n, len(data))
			case err != nil && !strings.Contains(err.Error(), "byte "):
				t.Errorf("%s: %v", version, err)
			}
		}
	}
}

// ends returns where the header and each generation end.
func ends(t testing.TB, data []byte) []int {
	version, at, err := header(data)
	if err != nil {
		t.Fatal(err)
	}
	r := batches{data: data, at: at, version: version}
	all := []int{at}
	for {
		g, err := r.generation()
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			return all
		}
		all = append(all, r.at)
	}
}

func TestWhatIsImpossibleIsAnErrorThatSaysWhere(t *testing.T) {
	const before = "Trace Go1.26\nEventBatch gen=1 m=99 time=1\nSync\nFrequency freq=15625000\nClockSnapshot dt=1 mono=64 sec=0 nsec=0\n"
	// Each is a batch of thread 1, if it does not begin with one.
	for _, c := range []struct{ events, want string }{
		{"GoBlock dt=1 reason_string=1 stack=0",
			"its thread runs no goroutine"},
		{"GoStatus dt=1 g=7 m=1 gstatus=9",
			"9 is no state of a goroutine"},
		{"GoStatus dt=1 g=7 m=1 gstatus=4; GoStatus dt=1 g=7 m=1 gstatus=2",
			"goroutine 7 was in state"},
		{"GoStatus dt=1 g=7 m=18446744073709551615 gstatus=3",
			"its goroutine runs without a thread"},
		{"GoStart dt=1 g=7 g_seq=1",
			"no order of the events"},
		{"ProcStatus dt=1 p=0 pstatus=1; GoCreate dt=1 g=7 a=0 b=0; GoStart dt=1 g=7 g_seq=1; GoBlock dt=1 a=5 stack=0",
			"string 5 is not in the table"},
		{"ProcStatus dt=1 p=0 pstatus=1; GoCreate dt=1 g=7 a=0 b=0; GoCreate dt=1 g=7 a=0 b=0",
			"goroutine 7 already exists"},
		{"ProcStatus dt=1 p=0 pstatus=1; GoCreate dt=1 g=7 a=4294967296 b=0",
			"the stack's number is impossible"},
		{"GoStart dt=1",
			"is broken"},
		{"ProcStatus dt=1 p=0 pstatus=1; ProcStop dt=1; ProcStop",
			"is broken"},
		{"String dt=1",
			"is no event"},
		{"EventBatch gen=1 m=1 time=72057594037927937; GoDestroy dt=0",
			"its time is impossible"},
		{"EventBatch gen=3 m=1 time=9; GoDestroy dt=0",
			"generation 3 is within generation 1"},
		{"EventBatch gen=1 m=99 time=9; Strings; String id=1 n=9",
			"a string of the table is broken"},
		{"EventBatch gen=1 m=99 time=9; Stacks; Stack id=1 nframes=200",
			"a stack of the table is broken"},
		{"EventBatch gen=1 m=99 time=9; Stacks; Stack id=1 nframes=2",
			"a stack of the table is cut off"},
		{"ProcStatus dt=1 p=0 pstatus=7",
			"7 is no state of a processor"},
		{"ProcStatus dt=1 p=0 pstatus=1; ProcStop dt=0; ProcStatus dt=1 p=0 pstatus=1",
			"processor 0 was in state"},
		{"ProcStop dt=1",
			"its thread has no P"},
		{"HeapAlloc dt=1 n=9",
			"its thread has no P"},
		{"GCSweepActive dt=1 p=9",
			"its thread has no P"},
		{"GCMarkAssistActive dt=1 g=9",
			"its thread runs no goroutine"},
		{"GCEnd dt=1 seq=1",
			"no order of the events"},
		{"GCBegin dt=1 seq=1 stack=0; GCEnd dt=1 seq=3",
			"no order of the events"},
		{"STWEnd dt=1",
			"its thread runs no goroutine"},
		{"GoStatus dt=1 g=7 m=1 gstatus=3; GoBlock dt=1 reason=0 stack=0",
			"its goroutine is in another state"},
		{"GoStatus dt=1 g=7 m=1 gstatus=2; GoSyscallBegin dt=1 seq=1 stack=0",
			"its thread has no P"},
		{"GoStatus dt=1 g=7 m=1 gstatus=3; GoSyscallEnd dt=1",
			"its thread has no P"},
		{"GoStatus dt=1 g=7 m=1 gstatus=2; STWBegin dt=1 kind=9 stack=0",
			"string 9 is not in the table"},
		{"GoStatus dt=1 g=7 m=1 gstatus=3; GoStatus dt=1 g=8 m=1 gstatus=3",
			"its goroutine is on thread 1, which runs another"},
		{"GoStatus dt=1 g=7 m=1 gstatus=3; GoCreateSyscall dt=1 g=8",
			"already runs goroutine 7"},
		{"ProcStatus dt=1 p=0 pstatus=1; GoCreate dt=1 g=7 a=0 b=0; GoCreate dt=1 g=8 a=0 b=0; GoStart dt=1 g=7 s=1; GoStart dt=1 g=8 s=1",
			"already runs goroutine 7"},
		{"ProcStatus dt=1 p=0 pstatus=3; EventBatch gen=1 m=2 time=9; ProcSteal dt=1 p=0 s=1 m=3",
			"processor 0 is not stolen from the thread"},
		{"EventBatch gen=1 m=99 time=9; Sync; ProcStop",
			"what the clock was is broken"},
		{"EventBatch gen=0 m=1 time=9; ProcStop dt=1",
			"generation 0 "},
		{"EventBatch gen=1 m=99 time=9; CPUSamples; CPUSample time=1",
			"a sample of the profiler is broken"},
	} {
		text := strings.ReplaceAll(c.events, "; ", "\n")
		if !strings.HasPrefix(text, "EventBatch") {
			text = "EventBatch gen=1 m=1 time=9\n" + text
		}
		_, err := Read(assemble(t, before+text+"\nEndOfGeneration"))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "byte ") {
			t.Errorf("%s:\n%v, want %s", text, err, c.want)
		}
	}
	for _, text := range []string{
		"Trace Go1.26\nEventBatch gen=1 m=1 time=9\nSync\nFrequency f=9\nEndOfGeneration",
		"Trace Go1.25\nEventBatch gen=1 m=1 time=9\nProcStatus dt=0 p=0 s=1",
		"Trace Go1.22\nEventBatch gen=1 m=1 time=9\nProcStatus dt=0 p=0 s=1",
	} {
		if _, err := Read(assemble(t, text)); err == nil || !strings.Contains(err.Error(), "how fast its clock was") {
			t.Errorf("%s: %v", text, err)
		}
	}
	whole := assemble(t, before+"EventBatch gen=1 m=1 time=9\nProcStatus dt=1 p=0 s=1\nProcStop dt=1\nString dt=1\nEndOfGeneration")
	for n, want := range map[int]string{
		len(whole):      fmt.Sprintf("byte %d: 5 is no event", len(whole)-3),
		len(whole) - 1:  fmt.Sprintf("byte %d: the trace ends within generation 1", len(whole)-1),
		len(whole) - 3:  fmt.Sprintf("byte %d: a batch of 8 bytes is cut off after 6", len(whole)-14),
		len(whole) - 9:  fmt.Sprintf("byte %d: a batch of 8 bytes is cut off after 0", len(whole)-14),
		len(whole) - 10: fmt.Sprintf("byte %d: a batch is cut off", len(whole)-14),
	} {
		if _, err := Read(whole[:n]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d of %d bytes: %v, want %s", n, len(whole), err, want)
		}
	}
	next := func(generation string) string {
		return strings.ReplaceAll(strings.TrimPrefix(before, "Trace Go1.26"), "gen=1", generation)
	}
	later := before + "EventBatch gen=1 m=1 time=9\nProcStatus dt=1 p=0 s=1\nEndOfGeneration" + next("gen=2")
	for text, want := range map[string]string{
		later + "EventBatch gen=2 m=1 time=19\nGoStatus dt=1 g=7 m=1 gstatus=2\nEndOfGeneration": "neither created nor known",
		later + "EndOfGeneration" + next("gen=5") + "EndOfGeneration":                            "generation 5 follows generation 2",
	} {
		if _, err := Read(assemble(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read(assemble(t, before+"EndOfGeneration")); err != nil {
		t.Error(err)
	}
	if _, err := Read(assemble(t, "Trace Go1.26\nEndOfGeneration")); err == nil {
		t.Error("a generation that has not begun ends")
	}
}

// No input makes Read panic, and what it accepts is in order.
func FuzzRead(f *testing.F) {
	for _, data := range goldens(f) {
		if len(data) < 60_000 {
			f.Add(data)
		}
		all := ends(f, data)
		f.Add(data[:all[1]])
	}
	f.Add([]byte("go 1.26 trace\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Read(data)
		if err != nil {
			return
		}
		for i := range tr.Goroutines {
			g := &tr.Goroutines[i]
			if tr.Goroutine(g.ID) != g || len(g.Steps) == 0 || g.At(tr.To) != len(g.Steps)-1 {
				t.Fatalf("goroutine %d: %+v", g.ID, g.Steps)
			}
			for j, s := range g.Steps {
				if s.At < tr.From || s.At > tr.To || j > 0 && s.At < g.Steps[j-1].At {
					t.Fatalf("goroutine %d: step %d", g.ID, j)
				}
				tr.Stack(s.Stack)
				tr.Stack(s.ByStack)
			}
		}
	})
}

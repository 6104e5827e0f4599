// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// eventNames are those that Go's own tests use, by number from 1.
var eventNames = strings.Fields(`EventBatch Stacks Stack Strings String CPUSamples CPUSample Frequency
	ProcsChange ProcStart ProcStop ProcSteal ProcStatus
	GoCreate GoCreateSyscall GoStart GoDestroy GoDestroySyscall GoStop GoBlock GoUnblock GoSyscallBegin GoSyscallEnd GoSyscallEndBlocked GoStatus
	STWBegin STWEnd
	GCActive GCBegin GCEnd GCSweepActive GCSweepBegin GCSweepEnd GCMarkAssistActive GCMarkAssistBegin GCMarkAssistEnd HeapAlloc HeapGoal
	GoLabel UserTaskBegin UserTaskEnd UserRegionBegin UserRegionEnd UserLog
	GoSwitch GoSwitchDestroy GoCreateBlocked GoStatusStack ExperimentalBatch
	Sync ClockSnapshot EndOfGeneration`)

// assemble turns the text form of a trace, as in Go's own tests, into a trace. A batch without size gets that of the lines up to the next.
func assemble(t testing.TB, text string) []byte {
	t.Helper()
	numbers := make(map[string]byte)
	for i, name := range eventNames {
		numbers[name] = byte(i + 1)
	}
	numbers["SpanAlloc"], numbers["SpanFree"], numbers["HeapObjectAlloc"] = 129, 130, 132
	var out, batch []byte
	end := func() {
		if batch != nil {
			out = append(binary.AppendUvarint(out, uint64(len(batch))), batch...)
		}
		batch = nil
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if words[0] == "Trace" {
			out = fmt.Appendf(out, "go %s trace\x00\x00\x00", strings.TrimPrefix(words[1], "Go"))
			continue
		}
		if data, ok := strings.CutPrefix(words[0], "data="); ok {
			s, err := strconv.Unquote(strings.TrimPrefix(strings.TrimSpace(line), "data="))
			if err != nil {
				t.Fatal(data, err)
			}
			batch = append(binary.AppendUvarint(batch, uint64(len(s))), s...)
			continue
		}
		number, isEvent := numbers[words[0]]
		if words[0] == "EventBatch" || words[0] == "EndOfGeneration" {
			end()
			out = append(out, number)
		} else if isEvent {
			batch = append(batch, number)
		}
		for _, word := range words {
			name, value, ok := strings.Cut(word, "=")
			if !ok || name == "size" {
				continue
			}
			v, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				t.Fatal(line, err)
			}
			if words[0] == "EventBatch" {
				out = binary.AppendUvarint(out, v)
			} else {
				batch = binary.AppendUvarint(batch, v)
			}
		}
		if words[0] == "EventBatch" {
			batch = []byte{}
		}
	}
	end()
	return out
}

// say writes what a trace holds as text: a line for each step, without what is unknown.
func say(tr *Trace) string {
	var b bytes.Buffer
	word := func(format string, v any, ok bool) {
		if ok {
			fmt.Fprintf(&b, format, v)
		}
	}
	for _, g := range tr.Goroutines {
		fmt.Fprintf(&b, "goroutine %d\n", g.ID)
		for _, s := range g.Steps {
			fmt.Fprintf(&b, "\t%d %s", s.At-tr.From, [...]string{"unknown", "running", "runnable", "waiting", "syscall", "gone"}[s.State])
			word(" %q", s.Reason, s.Reason != "")
			word(" thread=%d", s.Thread, s.Thread != 0)
			word(" proc=%d", s.Proc, s.Proc >= 0)
			word(" stack=%d", s.Stack, s.Stack != 0)
			word(" by=%d", s.By, s.By != 0)
			word(" at=%d", s.ByStack, s.ByStack != 0)
			b.WriteByte('\n')
		}
	}
	for _, p := range tr.Procs {
		for _, h := range p.Holds {
			fmt.Fprintf(&b, "proc %d: %d to %d thread=%d\n", p.ID, h.From-tr.From, h.To-tr.From, h.Thread)
		}
	}
	for _, r := range tr.Ranges {
		fmt.Fprintf(&b, "%s: %d to %d goroutine=%d proc=%d\n", r.Name, r.From-tr.From, r.To-tr.From, r.Goroutine, r.Proc)
	}
	return b.String()
}

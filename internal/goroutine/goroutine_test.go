// SPDX-License-Identifier: BSD-3-Clause

package goroutine

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		stack  string
		number uint64
		locked bool
	}{
		{"goroutine 7 [running]:\nmain.main()", 7, false},
		{"goroutine 123456789012 [running, locked to thread]:\n", 123456789012, true},
		{"goroutine 8 [running]:\nlocked to thread", 8, false},
		{"", 0, false},
		{"goroutine", 0, false},
		{"goroutine x [running]:", 0, false},
		{"goroutine 18446744073709551616 [running, locked to thread]:", 0, false},
		{"goroutine 9 gp=0xc000002380 m=0 mp=0x5a3b40 [running, locked to thread]:", 9, true},
		{"goroutine 9 [running, locked to thread, synctest bubble 1]:", 9, true},
		{`goroutine 9 [running labels:{"a": "b"}]:`, 9, false},
		{`goroutine 9 [running, locked to thread labels:{"a": "b"}]:`, 9, true},
		{`goroutine 9 [running, synctest bubble 1 labels:{"a": ", locked to thread"}]:`, 9, false},
		{`goroutine 9 [running labels:{", locked to thread": "b"}]:`, 9, false},
		{`goroutine 9 [running labels:{"a": "]:, locked to thread"}]:`, 9, false},
		{`goroutine 9 [running labels:{"a\"": "\", locked to thread"}]:`, 9, false},
		{`goroutine 9 [running] {a: b}:`, 9, false},
		{`goroutine 9 [running, locked to thread] {a: b}:`, 9, true},
		{`goroutine 9 [running] {a: ", locked to thread"}:`, 9, false},
		{`goroutine 9 [running] {[a: [, locked to thread]}:`, 9, false},
		{`goroutine 9 [running labels:{"a": ", locked to thr`, 9, false},
	} {
		if n, locked := parse([]byte(c.stack)); n != c.number || locked != c.locked {
			t.Errorf("%q: %d %v, want %d %v", c.stack, n, locked, c.number, c.locked)
		}
	}
}

// TestTheHeaderFits uses the longest numbers, and words that the header of a running goroutine does not have.
func TestTheHeaderFits(t *testing.T) {
	const most = 1<<64 - 1
	header := fmt.Sprintf("goroutine %d gp=%#x m=%d mp=%#x [running (scan), locked to thread", uint64(most), uint64(most), int64(most>>1), uint64(most))
	if len(header) > headerBytes {
		t.Errorf("%d bytes, and room for %d", len(header), headerBytes)
	}
}

// Go 1.27 shows labels, and Go 1.26 does so on request.
func TestLabelsAreNotTakenForTheState(t *testing.T) {
	t.Setenv("GODEBUG", "tracebacklabels=1")
	for _, text := range []string{"b", ", locked to thread", `", locked to thread`, "]:\n, locked to thread", strings.Repeat(", locked to thread", 1000)} {
		pprof.Do(context.Background(), pprof.Labels(text, text), func(context.Context) {
			buf := make([]byte, 1<<10)
			if buf = buf[:runtime.Stack(buf, false)]; !bytes.Contains(buf, []byte("{")) {
				t.Skipf("%s shows no labels in tracebacks", runtime.Version())
			}
			if number, thread := Describe(); number == 0 || number != Number() || thread != 0 {
				t.Errorf("goroutine %d thread %d without LockOSThread: %.80s", number, thread, buf)
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if number, thread := Describe(); number != Number() || thread != threadID() {
				t.Errorf("goroutine %d thread %d, want thread %d: %.80s", number, thread, threadID(), buf)
			}
		})
	}
}

// FuzzParse parses headers whose labels are cut off anywhere, and arbitrary bytes.
func FuzzParse(f *testing.F) {
	f.Add(uint64(7), true, "key", "value", uint(1000))
	f.Add(uint64(1<<64-1), false, ", locked to thread", "]:", uint(500))
	f.Add(uint64(1), false, `"`, "\n, locked to thread", uint(0))
	f.Fuzz(func(t *testing.T, number uint64, locked bool, key, value string, cut uint) {
		said := fmt.Sprintf("goroutine %d [running", number)
		if locked {
			said += ", locked to thread"
		}
		form := "%s] {%s: %q}:\nmain.main()\n"
		if cut%2 == 0 {
			form = "%s labels:{%q: %q}]:\nmain.main()\n"
		}
		header := fmt.Sprintf(form, said, key, value)
		header = header[:min(uint(len(header)), uint(len(said))+cut%1000)]
		if gotNumber, gotLocked := parse([]byte(header)); gotNumber != number || gotLocked != locked {
			t.Errorf("%q: %d %v, want %d %v", header, gotNumber, gotLocked, number, locked)
		}
		if _, locked := parse([]byte(key)); locked && !(strings.HasPrefix(key, "goroutine ") && strings.Contains(key, ", locked to thread")) {
			t.Errorf("%q: locked", key)
		}
	})
}

func TestGoroutinesHaveNumbers(t *testing.T) {
	mine := Number()
	other := make(chan uint64)
	go func() { other <- Number() }()
	if theirs := <-other; mine == 0 || theirs == 0 || mine == theirs {
		t.Errorf("numbers %d and %d", mine, theirs)
	}
}

func TestTheThreadIsThatOfALockedGoroutine(t *testing.T) {
	if _, thread := Describe(); thread != 0 {
		t.Errorf("thread %d without LockOSThread", thread)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	number, thread := Describe()
	if number != Number() || thread != threadID() {
		t.Errorf("goroutine %d thread %d, want %d and %d", number, thread, Number(), threadID())
	}
}

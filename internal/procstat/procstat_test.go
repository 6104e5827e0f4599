// SPDX-License-Identifier: BSD-3-Clause

package procstat

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestTheFirstLineIsRead(t *testing.T) {
	got, ok := Parse([]byte("cpu  100 29 30 1000 50 5 6 7 90 10\ncpu0 1 2 3 4 5 6 7 8\n"))
	want := Times{User: time.Second, Nice: 29 * Tick, System: 30 * Tick, Idle: 1000 * Tick, IOWait: 50 * Tick, IRQ: 5 * Tick, SoftIRQ: 6 * Tick, Steal: 7 * Tick}
	if !ok || got != want || got.Busy() != 170*Tick || got.All() != 1227*Tick {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, bad := range []string{"", "cpu 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7\n", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 x 4 5 6 7 8\n", "cpu -1 2 3 4 5 6 7 8\n",
		"cpu 1 2 3 4 5 6 7 999999999999\n", "cpu 1 2 3 4 5 6 7 99999999999999999999\n", "cpu 1 2 3 4 5 6 7 9223372036854775807\n", "intr 1 2 3 4 5 6 7 8\n"} {
		if got, ok := Parse([]byte(bad)); ok || got != (Times{}) {
			t.Errorf("%q was read: %+v", bad, got)
		}
	}
}

func TestThisMachineIsRead(t *testing.T) {
	_, err := os.Stat("/proc/stat")
	before, ok := Read()
	if runtime.GOOS == "linux" && ok != (err == nil) {
		t.Fatal("read: ", ok)
	}
	if after, _ := Read(); ok && (after.All() < before.All() || before.Busy() > before.All() || before.All() == 0) {
		t.Errorf("%+v, then %+v", before, after)
	}
}

func TestParsingAllocatesNothing(t *testing.T) {
	text := []byte("cpu  100 20 30 1000 50 5 6 7 90 10\n")
	if n := testing.AllocsPerRun(100, func() { Parse(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("cpu  100 20 30 1000 50 5 6 7 90 10\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, ok := Parse(text); ok && (got.All() < got.Busy() || got.Busy() < 0) {
			t.Errorf("%q: %+v", text, got)
		}
	})
}

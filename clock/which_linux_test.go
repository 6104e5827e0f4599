// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 && !purego

package clock

import (
	"runtime"
	"testing"
)

// Linux has put the number of the processor into the lower 12 bits.
func TestTheProcessorThatRunsIsKnown(t *testing.T) {
	Now() // starts the clock
	if !numbered {
		t.Skip("the processor has no number beside its counter")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpus := processors()
	defer unpin(cpus)
	for _, cpu := range cpus {
		if err := pin(cpu); err != nil {
			t.Skip("threads cannot be bound here: ", err)
		}
		if got := (onWhich() - 1) & 0xfff; got != cpu {
			t.Errorf("on processor %d it is %d", cpu, got)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"runtime"
	"slices"
	"testing"
)

func TestAThreadIsHeldOnOneProcessorAndLetGo(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := processors()
	if len(all) != runtime.NumCPU() {
		t.Fatalf("processors %v, the runtime counts %d", all, runtime.NumCPU())
	}
	defer unpin(all)
	for _, cpu := range all {
		if err := pin(cpu); err != nil || !slices.Equal(processors(), []int{cpu}) {
			t.Errorf("held on %d: %v, %v", cpu, processors(), err)
		}
	}
	unpin(all)
	if !slices.Equal(processors(), all) {
		t.Errorf("let go: %v, want %v", processors(), all)
	}
}

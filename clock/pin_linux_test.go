// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
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

func init() {
	onProcessor = func() int {
		var cpu uint32
		if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
			return -1
		}
		return int(cpu)
	}
}

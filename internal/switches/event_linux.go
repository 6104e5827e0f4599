// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inheritThread is inherit_thread of struct perf_event_attr: new threads inherit the event and child processes do not. Linux 5.13.
const inheritThread = unix.CBitFieldMaskBit35

const shared = unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | unix.PerfBitSampleIDAll |
	unix.PerfBitUseClockID | unix.PerfBitWriteBackward

// forms returns what to open for a thread on a processor, or for a processor: page faults and stacks, of which the first also records the switches. Each
// event costs time at every switch, so an event for the switches alone is opened only if there is no other.
func forms(o Options) (list []unix.PerfEventAttr) {
	const idents = unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_CPU
	if o.Faults > 0 {
		list = append(list, unix.PerfEventAttr{Config: unix.PERF_COUNT_SW_PAGE_FAULTS, Sample: uint64(o.Faults),
			Sample_type: idents | unix.PERF_SAMPLE_CALLCHAIN | unix.PERF_SAMPLE_WEIGHT, Bits: unix.PerfBitExcludeCallchainKernel})
	}
	if o.Samples > 0 {
		clock := uint64(unix.PERF_COUNT_SW_CPU_CLOCK)
		if o.Threads {
			clock = unix.PERF_COUNT_SW_TASK_CLOCK
		}
		list = append(list, unix.PerfEventAttr{Config: clock, Sample: uint64(int(time.Second) / o.Samples),
			Sample_type: idents | unix.PERF_SAMPLE_CALLCHAIN, Bits: unix.PerfBitExcludeCallchainKernel})
	}
	if len(list) == 0 {
		list = append(list, unix.PerfEventAttr{Config: unix.PERF_COUNT_SW_DUMMY, Sample_type: idents})
	}
	list[0].Bits |= unix.PerfBitContextSwitch | unix.PerfBitTask
	for i := range list {
		list[i].Bits |= shared
		list[i].Type, list[i].Clockid, list[i].Size = unix.PERF_TYPE_SOFTWARE, unix.CLOCK_MONOTONIC, uint32(unsafe.Sizeof(list[i]))
	}
	return list
}

// openEvent opens an event for a thread on a processor, without child processes if the kernel can leave them out.
func openEvent(attr unix.PerfEventAttr, thread, processor int) (fd int, err error) {
	if thread == all {
		return unix.PerfEventOpen(&attr, all, processor, -1, unix.PERF_FLAG_FD_CLOEXEC)
	}
	attr.Bits |= unix.PerfBitInherit | inheritThread
	fd, err = unix.PerfEventOpen(&attr, thread, processor, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if errors.Is(err, unix.EINVAL) {
		attr.Bits &^= inheritThread
		fd, err = unix.PerfEventOpen(&attr, thread, processor, -1, unix.PERF_FLAG_FD_CLOEXEC)
	}
	return fd, err
}

// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"encoding/binary"
	"runtime"
)

// The records of the kernel, of linux/perf_event.h.
const (
	recordLost        = 2
	recordExit        = 4
	recordThrottle    = 5
	recordFork        = 7
	recordSample      = 9
	recordLostSamples = 13
	recordSwitch      = 14
	recordSwitchCPU   = 15 // of a processor: with the thread that left or comes

	miscSwitchOut = 1 << 13
	miscPreempted = 1 << 14
)

// ended is the number of a thread that leaves its processor for good, after the record that says that it ended.
const ended = 1<<32 - 1

// header is the size of the header of a record, idents that of what follows each record that is not a sample: process and thread,
// time, processor.
const (
	header = 8
	idents = 24
)

type kind uint8

const (
	came kind = iota
	left
	preempted // left, but was ready to run
	fresh     // the thread began or ended
	sampled
	faulted
	missed // the kernel left records out
)

// A record is one of the kernel's records, decoded.
type record struct {
	at        int64
	thread    uint32
	processor int32
	kind      kind
	n         uint64 // for who collects samples: which
}

// decode calls each for the records of a process, newest first, and with the stack if it has one. data begins with the newest record,
// and may end within one. It returns the time of the oldest record, of any process.
func decode(data []byte, process uint32, each func(r record, stack []byte)) (oldest int64) {
	for len(data) >= header {
		what, misc, size := binary.NativeEndian.Uint32(data), binary.NativeEndian.Uint16(data[4:]), int(binary.NativeEndian.Uint16(data[6:]))
		if size < header+idents || size > len(data) { // never written, or cut
			break
		}
		r, owner, stack, ok := one(what, misc, data[header:size])
		data = data[size:]
		oldest = r.at
		if ok && owner == process {
			each(r, stack)
		}
	}
	return oldest
}

// one decodes a record without its header. owner is its process; ok is false if it is of no use.
func one(what uint32, misc uint16, body []byte) (r record, owner uint32, stack []byte, ok bool) {
	if what == recordSample {
		return sample(body)
	}
	tail := body[len(body)-idents:]
	owner, r = identify(tail)
	ok = true
	switch body = body[:len(body)-idents]; what {
	case recordSwitch, recordSwitchCPU:
		ok = r.thread != ended
		if misc&miscSwitchOut != 0 {
			r.kind = left
			if misc&miscPreempted != 0 {
				r.kind = preempted
			}
		}
	case recordFork, recordExit: // process, parent's process, thread, parent's thread, time
		if len(body) < 24 {
			return r, owner, nil, false
		}
		r.kind, owner, r.thread = fresh, binary.NativeEndian.Uint32(body), binary.NativeEndian.Uint32(body[8:])
	case recordLost, recordLostSamples, recordThrottle: // the last: samples or faults come so fast that they are left out until the next tick
		r.kind = missed
	default:
		ok = false
	}
	return r, owner, nil, ok
}

// identify reads process and thread, time, processor.
func identify(b []byte) (owner uint32, r record) {
	return binary.NativeEndian.Uint32(b), record{
		thread:    binary.NativeEndian.Uint32(b[4:]),
		at:        int64(binary.NativeEndian.Uint64(b[8:])),
		processor: int32(binary.NativeEndian.Uint32(b[16:])),
	}
}

// sample reads a sample: the same, then the length of the stack and the stack. A fault has one word more, a weight that is always 0,
// so that the two can be told apart.
func sample(b []byte) (r record, owner uint32, stack []byte, ok bool) {
	owner, r = identify(b)
	if b = b[idents:]; len(b) < 8 {
		return r, owner, nil, false
	}
	n := binary.NativeEndian.Uint64(b)
	if b = b[8:]; n > uint64(len(b)/8) {
		return r, owner, nil, false
	}
	stack, b = b[:8*n], b[8*n:]
	switch len(b) {
	case 0:
		r.kind = sampled
	case 8:
		r.kind = faulted
	default:
		return r, owner, nil, false
	}
	return r, owner, stack, true
}

// context is the least of the words among the addresses that are not addresses: they say that those of the kernel or of the program
// follow.
const context = -4095

// framed is whether Go's functions have frame pointers, by which the kernel finds the callers.
const framed = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

// appendStack appends the addresses of a stack as runtime.Callers returns them: addresses of return, so that the first, which is of
// the very instruction, gets one more.
func appendStack(pcs []uintptr, stack []byte) []uintptr {
	first := true
	for ; len(stack) >= 8 && (first || framed); stack = stack[8:] {
		pc := binary.NativeEndian.Uint64(stack)
		if int64(pc) >= context && int64(pc) <= 0 {
			continue
		}
		if first {
			pc, first = pc+1, false
		}
		pcs = append(pcs, uintptr(pc))
	}
	return pcs
}

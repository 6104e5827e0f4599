// SPDX-License-Identifier: BSD-3-Clause

package perf

import "sync/atomic"

// A page is what the kernel shows of an event to the thread that it counts: struct perf_event_mmap_page. The kernel writes
// it on the thread's own processor, between two changes of lock.
type page struct {
	version, compat uint32
	lock            uint32
	index           uint32 // of the counter, plus 1; 0 if it has none now or the thread may not read it
	offset          uint64 // what to add to the counter
	enabled         uint64 // in ns, up to the last change
	running         uint64
	caps            uint64
	width           uint16 // of the counter, in bits
}

const capCounter = 1 << 2 // cap_user_rdpmc. It is set even where reading is off; index is what counts

// read returns the count, and the times up to the last change, without a system call. ok is false if it takes one.
func (p *page) read(counter func(index uint32) uint64) (n uint64, t span, ok bool) {
	for {
		seq := atomic.LoadUint32(&p.lock)
		index, offset, width := p.index, p.offset, p.width
		if index == 0 || p.caps&capCounter == 0 {
			return 0, t, false
		}
		t = span{p.enabled, p.running}
		raw := counter(index - 1)
		if atomic.LoadUint32(&p.lock) == seq {
			return offset + extend(raw, width), t, true
		}
	}
}

// extend sign-extends a counter of the given width in bits to 64 bits.
func extend(raw uint64, width uint16) uint64 {
	shift := (64 - width) & 63 // a width of 0 or 64 changes nothing
	return uint64(int64(raw<<shift) >> shift)
}

// A quick is the pages of a group that can all be read at once, by the goroutine that opened it.
type quick struct {
	pages [maxEvents]*page
	n     int // at least 1
	owner uintptr
}

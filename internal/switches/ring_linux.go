// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A ring is the memory into which the kernel writes the records of one processor, from its end towards its beginning and then from
// the end again. What is mapped for reading only is overwritten without asking.
type ring struct {
	fd     int // of the event that it belongs to
	memory []byte
	page   *unix.PerfEventMmapPage
	data   []byte
}

// mapRing maps a ring for the event fd.
func mapRing(fd, size int) (*ring, error) {
	memory, err := unix.Mmap(fd, 0, os.Getpagesize()+size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &ring{fd, memory, (*unix.PerfEventMmapPage)(unsafe.Pointer(&memory[0])), memory[os.Getpagesize():]}, nil
}

func (r *ring) close() { unix.Munmap(r.memory) }

// underway is more than the records together that the kernel may be writing, in a thread, in an interrupt and in an interrupt of that
// one, when the ring says nothing of them yet.
const underway = 8 << 10

// copyTo copies the records to buf, newest first, which must have the size of the ring. whole is whether these are all since the ring
// was mapped. The kernel goes on writing, so what it may have overwritten meanwhile is left out.
func (r *ring) copyTo(buf []byte) (data []byte, whole bool) {
	size := uint64(len(r.data))
	head := atomic.LoadUint64(&r.page.Data_head) // counts down from 0
	at := head & (size - 1)
	n := copy(buf, r.data[at:])
	copy(buf[n:], r.data[:at])
	var fence atomic.Int32
	fence.Add(1) // the copy is complete before the next line reads
	since := head - atomic.LoadUint64(&r.page.Data_head) + underway
	if safe := size - min(since, size); -head > safe {
		return buf[:safe], false
	}
	return buf[:-head], true
}

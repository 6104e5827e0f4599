// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	// mostThreads is how many threads are read: the kernel has no sum for a process, and each takes about a microsecond.
	mostThreads = 64
	// relisted is after how many readings the threads are listed again even if the runtime has made none: C code may have.
	relisted = 256
)

// threads adds up how long the threads of this process were ready but had no processor. It keeps a file of each open.
type threads struct {
	dir   *os.File // nil if nothing can be read
	list  []thread
	ended int64 // waited by threads that have ended
	made  int   // threads of the runtime when they were listed
	reads int   // since then
	many  bool  // more than are read
}

type thread struct {
	id     int
	stat   *os.File
	waited int64
}

// open says why nothing can be read, if so. It needs a buffer, as the other methods do.
func (t *threads) open(buf *[4096]byte) (reason, remedy string) {
	var err error
	if t.dir, err = os.Open("/proc/self/task"); err != nil {
		return err.Error(), "mount /proc"
	}
	_, ok := t.waited(buf)
	switch {
	case ok:
		return "", ""
	case t.many:
		return fmt.Sprintf("the process has more than %d threads, and the kernel has no sum", mostThreads), ""
	}
	t.close()
	return "the kernel does not count it", "run a kernel with CONFIG_SCHED_INFO"
}

// waited returns the sum. ok is false if it is unknown.
func (t *threads) waited(buf *[4096]byte) (sum int64, ok bool) {
	if t.dir == nil {
		return 0, false
	}
	made, _ := runtime.ThreadCreateProfile(nil) // takes nanoseconds, listing a directory takes microseconds
	if t.reads++; made != t.made || t.reads > relisted {
		t.made, t.reads = made, 0
		t.relist(buf)
	}
	if t.many {
		return 0, false
	}
	var ran int64
	sum = t.ended
	for i := 0; i < len(t.list); i++ {
		e := &t.list[i]
		n, alive := pread(e.stat, buf[:128])
		var on, off int64
		if alive {
			on, off, alive = parseSchedstat(buf[:n])
		}
		if !alive {
			e.stat.Close()
			t.ended += e.waited
			sum += e.waited
			t.list = slices.Delete(t.list, i, i+1)
			i--
			continue
		}
		e.waited = off
		ran += on
		sum += off
	}
	return sum, ran > 0
}

// relist adds the threads that are new.
func (t *threads) relist(buf *[4096]byte) {
	t.many = false
	if _, err := t.dir.Seek(0, 0); err != nil {
		return
	}
	for {
		n, err := unix.ReadDirent(int(t.dir.Fd()), buf[:])
		if err != nil || n <= 0 {
			return
		}
		for entry := buf[:n]; len(entry) > 19; {
			size := int(binary.NativeEndian.Uint16(entry[16:])) // after two words of 64 bits
			if size < 19 || size > len(entry) {
				return
			}
			if id, _, ok := number(entry[19:size]); ok {
				t.add(int(id))
			}
			entry = entry[size:]
		}
	}
}

func (t *threads) add(id int) {
	for i := range t.list {
		if t.list[i].id == id {
			return
		}
	}
	if len(t.list) == mostThreads {
		t.many = true
		return
	}
	if f, err := os.Open("/proc/self/task/" + strconv.Itoa(id) + "/schedstat"); err == nil {
		t.list = append(t.list, thread{id: id, stat: f})
	}
}

func (t *threads) close() {
	if t.dir != nil {
		t.dir.Close()
	}
	for _, e := range t.list {
		e.stat.Close()
	}
	t.dir, t.list = nil, nil
}

// parseSchedstat reads nanoseconds on a processor and nanoseconds of waiting for one.
func parseSchedstat(text []byte) (on, off int64, ok bool) {
	on, text, ok = number(text)
	if !ok || len(text) == 0 || text[0] != ' ' {
		return 0, 0, false
	}
	off, _, ok = number(text[1:])
	return on, off, ok
}

// number reads a decimal number at the beginning of a text. ok is false without one, or if it is too large.
func number(text []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		if n > 1<<59 {
			return 0, text, false
		}
		n = 10*n + int64(text[i]-'0')
		i++
	}
	return n, text[i:], i > 0 && n >= 0
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package capture

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// faultTime returns what the first use of a page of memory takes, with giving it back: the least of some trials, in which at most a
// megabyte is used. It takes about a millisecond, once. 0 means unknown.
var faultTime = sync.OnceValue(func() time.Duration {
	const pages = 256
	size := os.Getpagesize()
	best := time.Duration(0)
	for range 3 {
		began := time.Now()
		memory, err := unix.Mmap(-1, 0, pages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return 0
		}
		for i := 0; i < len(memory); i += size {
			memory[i] = 1
		}
		unix.Munmap(memory)
		if d := time.Since(began) / pages; best == 0 || d < best {
			best = d
		}
	}
	return best
})

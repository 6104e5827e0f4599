// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapPage maps the page of an event, and returns how to unmap it.
func mapPage(fd int) (*page, func(), error) {
	b, err := unix.Mmap(fd, 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return (*page)(unsafe.Pointer(&b[0])), func() { unix.Munmap(b) }, nil
}

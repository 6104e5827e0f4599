// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package gotrace

import "syscall"

// blockingPipe returns a read of a pipe that the poller does not know.
func blockingPipe() (waits, ends func()) {
	var p [2]int
	if syscall.Pipe(p[:]) != nil {
		return nil, nil
	}
	return func() { readsPipe(p[0]); syscall.Close(p[0]) }, func() { syscall.Write(p[1], []byte{1}); syscall.Close(p[1]) }
}

//go:noinline
func readsPipe(fd int) { syscall.Read(fd, make([]byte, 1)) }

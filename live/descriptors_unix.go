// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package live

import "syscall"

// descriptors returns how many files the program may have open.
func descriptors() int {
	const many = 1 << 20
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return many
	}
	return int(min(uint64(limit.Cur), many))
}

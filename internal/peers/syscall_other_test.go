// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package peers

import "testing"

func benchmarkSyscall(b *testing.B) { b.Skip("Linux only") }

// SPDX-License-Identifier: BSD-3-Clause

//go:build 386 || amd64 || arm || arm64 || loong64 || ppc64 || ppc64le || riscv64 || s390x

package perf

// self identifies the calling goroutine among those alive.
func self() uintptr

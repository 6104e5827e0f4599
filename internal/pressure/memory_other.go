// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package pressure

// ReadMemory returns nothing: control groups are those of Linux.
func ReadMemory() (m Memory, ok bool) { return Memory{}, false }

// FullGroup returns nothing: control groups are those of Linux.
func FullGroup() (limit Limit, file string, ok bool) { return Limit{}, "", false }

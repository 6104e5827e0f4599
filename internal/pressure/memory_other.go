// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package pressure

// ReadMemory returns nothing: control groups are those of Linux.
func ReadMemory() (m Memory, ok bool) { return Memory{}, false }

// NearLimit returns nothing: control groups are those of Linux.
func NearLimit() (bytes int64, file string, ok bool) { return 0, "", false }

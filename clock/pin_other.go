// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package clock

// On other systems threads are not bound to processors: Granularity.Pinned is false.
func processors() []int { return nil }
func pin(int) error     { return nil }
func unpin([]int)       {}

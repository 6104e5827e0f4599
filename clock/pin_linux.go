// SPDX-License-Identifier: BSD-3-Clause

package clock

import "golang.org/x/sys/unix"

// processors lists those this thread may run on.
func processors() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var cpus []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	return cpus
}

// pin holds the calling thread on one processor.
func pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set)
}

// unpin lets it run on all of cpus again.
func unpin(cpus []int) {
	var set unix.CPUSet
	for _, c := range cpus {
		set.Set(c)
	}
	unix.SchedSetaffinity(0, &set)
}

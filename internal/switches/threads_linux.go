// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// tids returns the threads of this process in ascending order, so that the main one, which does not end, is the first.
func tids() ([]int, error) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// processors returns the processors on which any of the threads may run.
func processors(threads []int) []int {
	var may [1024]bool // as many as a CPUSet has
	for _, thread := range threads {
		var set unix.CPUSet
		if unix.SchedGetaffinity(thread, &set) != nil {
			continue // it has ended
		}
		for i := range may {
			may[i] = may[i] || set.IsSet(i)
		}
	}
	var list []int
	for i, is := range may {
		if is {
			list = append(list, i)
		}
	}
	return list
}

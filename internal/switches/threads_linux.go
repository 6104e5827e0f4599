// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"fmt"
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

// processors returns the processors on which any of the threads may run. The error says why there is none.
func processors(threads []int) ([]int, error) {
	var may [1024]bool // as many as a CPUSet has
	var refused error
	for _, thread := range threads {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(thread, &set); err != nil {
			refused = err // it has ended, if this is not so for all
			continue
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
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %w", errProcessors, refused)
	}
	return list, nil
}

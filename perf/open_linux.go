// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// openSets fills in the rows and returns the open sets. Rows that the kernel's events cannot count are refused, or left to
// getrusage and the clocks.
func (s *system) openSets(scope Scope, rows []row) []set {
	o := &opener{sys: s, scope: scope, rows: rows, specs: make([]spec, len(rows)), user: make([]bool, len(rows))}
	var wanted []int
	for i := range rows {
		if o.settle(i) {
			wanted = append(wanted, i)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	sets, err := o.openAll(wanted)
	if err != nil {
		for _, i := range wanted {
			o.rows[i].refuse(s.explain(err))
		}
		return nil
	}
	return sets
}

// openAll opens the rows for every thread of the scope.
func (o *opener) openAll(wanted []int) (sets []set, err error) {
	tids, err := o.threads()
	if err != nil {
		return nil, err
	}
	parts := o.pack(wanted)
	sets, err = o.openThread(parts, tids[0])
	if err != nil {
		return nil, err
	}
	// While these are opened, threads that are not yet counted may start others: look again until none is new.
	done := tids[:1]
	for {
		fresh := false
		for _, tid := range tids {
			if slices.Contains(done, tid) {
				continue
			}
			fresh = true
			done = append(done, tid)
			more, err := o.openThread(parts, tid)
			if errors.Is(err, unix.ESRCH) {
				continue // it has ended
			}
			if err != nil {
				o.sys.closeSets(sets)
				return nil, err
			}
			sets = append(sets, more...)
		}
		if !fresh {
			break
		}
		if tids, err = o.threads(); err != nil {
			break
		}
	}
	if o.scope != Command {
		for _, s := range sets {
			if err := o.sys.enable(s.fd); err != nil {
				o.sys.closeSets(sets)
				return nil, err
			}
		}
	}
	o.describe(parts)
	return sets, nil
}

// threads returns the threads to count; 0 is the calling one.
func (o *opener) threads() ([]int, error) {
	if o.scope.locks() {
		return []int{0}, nil
	}
	pid, _ := o.scope.pid() // 0 for Process
	return o.sys.tids(pid)
}

// describe records which part counts each row.
func (o *opener) describe(parts []part) {
	for slot, p := range parts {
		for _, i := range p.rows {
			o.rows[i].slot = uint8(slot)
			if len(parts) > 1 && o.rows[i].value.Reason == "" {
				o.rows[i].value.Reason = "the processor has too few counters for all events at once, so they take turns"
				o.rows[i].value.Remedy = "open fewer events"
			}
		}
	}
}

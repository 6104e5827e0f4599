// SPDX-License-Identifier: BSD-3-Clause

package planted

import (
	"testing"
	"time"
)

// A Fault is a way to be slow.
type Fault struct {
	Name string // such as "mutex, holder asleep"
	// At is the end of the name of the function in which the goroutine waits, or computes; empty if it makes no difference.
	At string
	// By is the end of the name of the function that kept it waiting; empty if there is none.
	By string
	// Causes are the words of the account that are right, the best first.
	Causes  []string
	prepare func(t testing.TB) (plant func(time.Duration), err error)
}

// Prepare prepares the fault, until the test ends, and returns what plants it: plant takes about d, and not less. It is for one
// goroutine at a time. Prepare skips the test where the system cannot do it.
func (f Fault) Prepare(t testing.TB) (plant func(d time.Duration)) {
	t.Helper()
	plant, err := f.prepare(t)
	if err != nil {
		t.Skipf("%s cannot be planted here: %v", f.Name, err)
	}
	return plant
}

// simple is for a fault that needs nothing.
func simple(plant func(time.Duration)) func(testing.TB) (func(time.Duration), error) {
	return func(testing.TB) (func(time.Duration), error) { return plant, nil }
}

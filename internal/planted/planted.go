// SPDX-License-Identifier: BSD-3-Clause

package planted

import "time"

// Faults returns the faults that there are on this system.
func Faults() []Fault {
	all := []Fault{
		{"own code", ".compute", "", []string{"own"}, simple(compute)},
		{"allocation storm", ".allocate", "", []string{"allocation", "gc"}, simple(allocate)},
		{"runtime.GC", ".collect", "", []string{"gc"}, prepareCollect},
		{"allocation by others", "", "", []string{"no-processor", "gc", "allocation"}, prepareOthers},
		{"world stopped", "", "", []string{"stopped-world"}, prepareStop},
		{"all Ps busy", "", "", []string{"no-processor"}, prepareBusy},
		{"mutex, holder asleep", ".lock", ".release", []string{"lock"}, prepareMutex(time.Sleep)},
		{"mutex, holder computes", ".lock", ".release", []string{"lock"}, prepareMutex(computeAtLeast)},
		{"lock convoy", ".lock", ".convoy", []string{"lock"}, prepareConvoy},
		{"channel", ".receive", ".send", []string{"channel"}, prepareChannel},
		{"sleep", ".sleep", "", []string{"sleep"}, simple(sleep)},
		{"network", ".read", "", []string{"network"}, prepareNetwork},
	}
	return append(all, ofSystem()...)
}

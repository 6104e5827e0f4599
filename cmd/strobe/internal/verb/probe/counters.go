// SPDX-License-Identifier: BSD-3-Clause

package probe

import "github.com/strobe-go/strobe/perf"

// answerOf says whether an event can be counted, or why not.
func answerOf(v perf.Value) string {
	why := v.Reason
	if v.Remedy != "" {
		why += "; " + v.Remedy
	}
	switch {
	case !v.Known():
		return "no, " + why
	case v.UserOnly:
		return "in user mode only; " + why
	case v.Count == 0:
		return "yes, but none were counted in the trial"
	case v.Source == "rusage" || v.Source == "clock":
		return "yes, from getrusage and the thread's clock"
	}
	return "yes"
}

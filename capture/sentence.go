// SPDX-License-Identifier: BSD-3-Clause

package capture

import "strings"

// String returns what happened, in one sentence.
func (r Report) String() string {
	text := r.Root + " took " + duration(r.Took)
	if r.Usual > 0 && r.Took > r.Usual {
		text += ", " + duration(r.Took-r.Usual) + " more than usual"
	}
	text += ": "
	if r.Spent > 0 {
		text += duration(r.Spent) + " "
	}
	text += r.Cause.String()
	if r.Where != "" {
		text += " at " + r.Where
	}
	if r.Zone != "" {
		text += " in zone " + r.Zone
	}
	if r.By != "" {
		text += ", by " + r.By
	}
	return strings.TrimSpace(text)
}

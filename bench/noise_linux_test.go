// SPDX-License-Identifier: BSD-3-Clause

package bench

import "testing"

func TestStealIsReadFromTheSystem(t *testing.T) {
	if got := parseSteal("cpu  10 20 30 400 5 6 7 8 9 10"); got != (ticks{stolen: 8, all: 486, ok: true}) {
		t.Errorf("%+v", got)
	}
	if got := parseSteal("cpu 1 2 3 4 5 6 7 8"); got != (ticks{stolen: 8, all: 36, ok: true}) { // a kernel without the columns for guests
		t.Errorf("%+v", got)
	}
	for _, line := range []string{"", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 x", "cpu 1 2 3 4 5 6 7 -8"} {
		if got := parseSteal(line); got.ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
	if s := switchesOS(); !s.ok {
		t.Error("Linux tells context switches of a thread")
	}
}

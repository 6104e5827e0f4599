// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestNamesInTheTableHaveNoControlCharactersAndFitIntoALine(t *testing.T) {
	hostile := "\x1b[2J\a\u202e\u2028\u009b" + strings.Repeat("long ", 1<<18)
	s := Snapshot{Zones: []ZoneInfo{{Name: hostile}, {Name: "draw"}}, Notes: []string{"\x1b[31mred"},
		Lanes: []LaneStats{{Zones: []ZoneStats{{Zone: 0, Calls: 1, Timed: 1}, {Zone: 1, Calls: 1, Timed: 1}}}}}
	lines := strings.Split(strings.TrimSuffix(s.String(), "\n"), "\n")
	if len(lines) != 4 || lines[3] != "?[31mred" || !strings.HasPrefix(lines[1], "?[2J????") || !strings.Contains(lines[1], "…") {
		t.Errorf("%.300q", lines)
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 110 {
			t.Errorf("a line of %d characters", n)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
				t.Errorf("%q in %q", r, line)
			}
		}
	}
	if width := len(lines[0]) - len("calls"); utf8.RuneCountInString(lines[1]) != utf8.RuneCountInString(lines[0]) || width < 40 {
		t.Errorf("the columns are not in line: %q", lines[:2])
	}
}

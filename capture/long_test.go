// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// The line in the log and the page of units that took longer than a second, and than a minute.
func TestLongUnitsAreNamed(t *testing.T) {
	for took, want := range map[time.Duration]struct{ sentence, line, page string }{
		1520 * time.Millisecond:   {"screenshot took 1.52 s, 1.51 s more than usual: 1.5 s in a system call", "took_ms=1520", "<td data-title=\"This time\">1.5 s</td>"},
		83_400 * time.Millisecond: {"screenshot took 83.4 s, 83.4 s more than usual: 83.4 s in a system call", "took_ms=83400", "<td data-title=\"This time\">83.38 s</td>"},
	} {
		spent := took - 20*time.Millisecond
		r := Report{Schema: Schema, Root: "screenshot", Unit: "span", Took: took, Usual: 9 * time.Millisecond, Cause: Syscall, Spent: spent, Notes: []profile.Note{{Value: "save screenshot"}},
			Split: &profile.Split{Running: 20 * time.Millisecond, Waiting: spent}, Account: []Part{{Cause: Syscall, Took: spent}, {Cause: Own, Took: 20 * time.Millisecond}}}
		var log, page bytes.Buffer
		v := voice{log: slog.New(slog.NewTextHandler(&log, nil))}
		v.report(&r, "", time.Now())
		for _, text := range []string{want.sentence, want.line, "usual_ms=9 ", "save screenshot"} {
			if !strings.Contains(log.String(), text) {
				t.Errorf("no %q in %s", text, log.String())
			}
		}
		if err := Write(&page, r); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"<h1>" + want.sentence, want.page, "<p>It was 20 ms running, " + duration(spent) + " waiting.</p>", "save screenshot"} {
			if !strings.Contains(page.String(), text) {
				t.Errorf("no %q in the page of a unit that took %v", text, took)
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"os"
	"strings"
	"testing"
)

// docs/capture.md has a sentence for each cause, and what to do next, as reports have them.
func TestTheGuideHasASentenceForEachCause(t *testing.T) {
	text, err := os.ReadFile("../docs/capture.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := strings.ReplaceAll(string(text), "\r\n", "\n")
	for c := range Capture + 1 {
		r := made()
		r.Cause, r.Where, r.By, r.Zone, r.Account = c, "", "", "", nil
		switch c {
		case Lock, Channel:
			r.Zone, r.Where, r.By = "save", "store.go:41 (main.save)", "goroutine 35, which was in a system call at store.go:88 (main.flush) in zone flush"
		case Own, Allocation, PageFaults:
			r.Zone, r.Where = "render", "render.go:12 (main.render)"
		case Sleep, Syscall, Network, Paging:
			r.Zone, r.Where = "load", "load.go:7 (main.load)"
		case Unclear:
			r.Spent, r.Account = 0, []Part{{Cause: Network, Took: 31 * ms, Zone: "load"}, {Cause: GC, Took: 28 * ms}}
		}
		if c == Channel {
			r.By = "goroutine 35"
		}
		if row := "| `" + c.String() + "` | " + r.String() + " | " + next[c] + " |\n"; !strings.Contains(guide, row) {
			t.Errorf("docs/capture.md has no row %s", row)
		}
	}
	if n := strings.Count(guide, "\n| `"); n != int(Capture)+1 {
		t.Errorf("docs/capture.md has rows for %d causes", n)
	}
}

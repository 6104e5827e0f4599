// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// rans returns the column "ran" of the slowest calls or frames; "" if it is not shown.
func (p *page) rans(t *testing.T) []string {
	t.Helper()
	return eval[[]string](t, p, `[...document.querySelectorAll("#slowest tbody td.ran")].map((e) => e.checkVisibility() ? e.textContent : "")`)
}

// What calls did is shown where it is known, and else why it is not. Another process has calls of the same numbers.
func TestWhatCallsDidIsShownWhereItIsKnown(t *testing.T) {
	s, p := serving(t, fresh(t), 1280, 900, "light")
	if got := p.rans(t); !slices.Equal(got, []string{"", "", "", ""}) {
		t.Errorf("nothing is known, and the column says %q", got)
	}
	p.click(t, "#slowest tbody tr:nth-child(2) button")
	if got, want := p.text(t, "#division"), "When it ran and waited is not known. Start package capture in the program to see it."; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	looks := map[string]any{"covered_ns": 0, "reason": "the flight recorder rests"}
	state := map[string]any{"at_ns": 0, "viewers": 1, "totals": []int{}, "memory_bytes": 1, "busy_ns": 1, "looks": looks}
	s.say("state", state)
	s.say("frames", map[string]any{"at_ns": 0, "frames": []int{}, "lost": 0})
	p.until(t, `document.getElementById("division").textContent.includes("rests")`)
	looks["covered_ns"], looks["displaced"] = 2_000*ms, true
	delete(looks, "reason")
	looks["units"] = []any{map[string]any{"zone": 0, "running_ns": 20 * ms, "ready_ns": ms, "waiting_ns": 79 * ms}}
	looks["zones"] = []any{map[string]any{"zone": 2, "running_ns": 1, "ready_ns": 9999, "waiting_ns": 0}}
	s.say("state", state)
	s.say("frames", map[string]any{"at_ns": 0, "frames": []int{}, "lost": 0})
	p.until(t, `document.getElementById("division").textContent.includes("none had all of this call")`)
	slow := eval[int](t, p, `Number(document.querySelector("#slowest tbody tr.on button").dataset.unit)`)
	s.say("frames", map[string]any{"at_ns": 0, "frames": []int{}, "lost": 0, "splits": [][]int{{slow, 5 * ms, ms, 57 * ms, 0}, {123456, 1, 1, 1, 1}}})
	p.until(t, `document.getElementById("division").textContent.startsWith("It was")`)
	if got, want := p.text(t, "#division"), "It was 57.0 ms waiting (90 %), 5.00 ms running or preempted (8 %), 1.00 ms ready (2 %)."; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	if got := p.rans(t); !slices.Equal(got, []string{"8 %", "not seen", "not seen"}) {
		t.Errorf("ran: %q", got)
	}
	if got := eval[string](t, p, `document.querySelector('#zones tbody th button[title*="this zone"]').closest("table").tHead.textContent`); !strings.Contains(got, "ran") {
		t.Errorf("the columns are %q", got)
	}
	zones := eval[[]string](t, p, `[...document.querySelectorAll("#zones tbody tr")].map((e) => e.cells[0].textContent + " " + e.cells[6].textContent)`)
	if !slices.Contains(zones, "query <1 %") || !slices.Contains(zones, "parse –") {
		t.Errorf("zones ran: %q", zones)
	}
	again := maps.Clone(s.hello)
	again["run"], again["pid"] = "two", 43
	s.say("hello", again)
	s.say("state", map[string]any{"at_ns": 0, "viewers": 1, "totals": []int{}, "memory_bytes": 1, "busy_ns": 1})
	s.say("frames", map[string]any{"at_ns": 61_000 * ms, "frames": []int{}, "lost": 0, "reset": true, "units": []any{[]any{slow, 60_000 * ms, 63 * ms, 7, 70, 1, 0, []string{}, 0, 1, 63 * ms}}})
	p.until(t, `document.querySelectorAll("#slowest tbody tr").length === 1`)
	p.click(t, "#slowest tbody tr:nth-child(1) button")
	if got := p.text(t, "#division"); !strings.Contains(got, "Start package capture") {
		t.Errorf("of another process the page says %q", got)
	}
	p.quiet(t)
}

// The notes of frames are found as those of calls are, also of frames that were not long.
func TestNotesOfFramesAreShownAndFound(t *testing.T) {
	for _, size := range [][2]int64{{1280, 900}, {400, 800}} {
		s := perform(t, "", "one")
		s.frames(100, map[string]any{})
		p := watch(t, fresh(t), s.URL, size[0], size[1], "light")
		if eval[bool](t, p, `document.getElementById("slowest").checkVisibility()`) {
			t.Error("a list of notes, of which there are none")
		}
		s.slow(40 * ms)
		s.frames(20, map[string]any{"notes": [][]any{{101, "level", "harbour"}, {105, "level", "forest", "autosave", "<b>yes</b>"}}})
		p.until(t, `document.querySelectorAll("#slowest tbody tr").length > 1`)
		if got := p.slowest(t); !strings.HasSuffix(got[0], "level=harbour") {
			t.Errorf("the longest frame is %q", got[0])
		}
		if wide := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%d pixels too wide", wide)
		}
		p.do(t, chromedp.SendKeys(chromedp.CSS("#slowest input"), "AUTOSAVE"))
		p.until(t, `document.querySelectorAll("#slowest tbody tr").length === 1`)
		if got := p.slowest(t); !strings.HasSuffix(got[0], "level=forest autosave=<b>yes</b>") {
			t.Errorf("found %q", got)
		}
		p.click(t, "#slowest tbody tr button")
		if got := p.text(t, "#read"); !strings.Contains(got, "frame 105 · 16.7 ms · level=forest autosave=<b>yes</b>") {
			t.Errorf("the frame reads %q", got)
		}
		if got := p.text(t, "#division"); !strings.HasPrefix(got, "Notes: level=forest autosave=<b>yes</b>") {
			t.Errorf("under the strip: %q", got)
		}
		p.do(t, chromedp.SendKeys(chromedp.CSS("#slowest input"), "x"))
		p.until(t, `document.querySelector("#slowest > p").textContent === "No frame that is kept has such a note."`)
		p.quiet(t)
	}
}

// Calls and frames longer than a second, and than a minute.
func TestLongCallsAndFramesAreNamed(t *testing.T) {
	chrome := fresh(t)
	s, p := serving(t, chrome, 1280, 900, "light")
	const at = 200_000 * ms
	call := func(number, took int, note string) []any {
		return []any{number, at - took, took, 7, 70, 1, 0, []string{"", note}, 0, 1, took, 1, 1, took - ms}
	}
	s.say("frames", map[string]any{"at_ns": at, "frames": []int{}, "lost": 0, "units": []any{call(5001, 1_520*ms, "save screenshot"), call(5002, 83_400*ms, "backup")},
		"splits": [][]int{{5002, 3_000 * ms, 400 * ms, 80_000 * ms, 0}},
		"reports": []any{map[string]any{"number": 2, "root": "request", "unit": "span", "goroutine": 70, "start_ns": at - 1_520*ms, "duration_ns": 1_520 * ms, "usual_ns": 5 * ms, "cause": "lock",
			"text": "request took 1.52 s, 1.51 s more than usual: 1.5 s waiting for a lock", "account": []any{map[string]any{"cause": "lock", "took_ns": 1_500 * ms}, map[string]any{"cause": "own", "took_ns": 20 * ms}}}}})
	p.until(t, `document.querySelectorAll("#slowest tbody tr").length === 6`)
	if got := p.slowest(t); got[1] != "83.4 s backup" || got[2] != "1.52 s save screenshot" {
		t.Errorf("the slowest are %q", got)
	}
	if causes := eval[[]string](t, p, `[...document.querySelectorAll("#slowest tbody td.cause")].map((e) => e.textContent)`); causes[1] != "no report" || causes[2] != "lock" {
		t.Errorf("causes %q", causes)
	}
	p.click(t, "#slowest tbody tr:nth-child(3) button")
	if got, want := p.text(t, "#account strong"), "Request took 1.52 s, 1.51 s more than usual: 1.5 s waiting for a lock."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := p.text(t, "#account tbody tr td:nth-child(3)"); got != "1.50 s" {
		t.Errorf("a part took %q", got)
	}
	if got := p.text(t, "#read"); !strings.Contains(got, "call 5001 · 1.52 s · save screenshot") {
		t.Errorf("the call reads %q", got)
	}
	p.click(t, "#slowest tbody tr:nth-child(2) button")
	if got, want := p.text(t, "#compare strong"), "request/parse took 83.4 s, 83.4 s more than in the median call."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := p.text(t, "#division"), "It was 80.0 s waiting (96 %), 3.00 s running (4 %), 400 ms ready (<1 %)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.quiet(t)
	f := perform(t, "", "one")
	f.frames(100, map[string]any{})
	q := watch(t, chrome, f.URL, 1280, 900, "light")
	f.slow(1_500 * ms)
	f.slow(83_000 * ms)
	f.frames(5, map[string]any{"notes": [][]any{{101, "", "save screenshot"}}})
	q.until(t, `document.querySelector("#worst button").textContent === "83.0 s" && document.querySelectorAll("#slowest tbody tr").length > 1`)
	if got := eval[[]string](t, q, `[...document.querySelectorAll("#worst button")].map((e) => e.textContent + " " + e.getAttribute("aria-label"))`); !strings.HasPrefix(got[0], "83.0 s frame 102, 83.0 s") || !strings.HasPrefix(got[1], "1.51 s frame 101, 1.51 s") {
		t.Errorf("the worst frames are %q", got)
	}
	if got := q.slowest(t); got[1] != "1.51 s save screenshot" {
		t.Errorf("the list has %q", got)
	}
	q.click(t, "#worst button:nth-of-type(1)")
	if got := q.text(t, "#compare strong"); !strings.Contains(got, "update/ai/path took 83.0 s, 83.0 s more than in the median frame") {
		t.Errorf("the page says %q", got)
	}
	q.quiet(t)
}

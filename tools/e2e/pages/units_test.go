// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The paths of a script of calls of a root zone, on their own goroutine (-2) and on others (-3).
var callPaths = [][]int{{0, -2, -1, 0}, {1, -2, 0, 1}, {2, -2, 0, 2}, {3, -2, 2, 3}, {4, -3, -1, 4}}

// serving opens the page of a program that serves 20 requests a second for a minute. Those to the same route waited 58 ms for a disk
// in three of them, and another one has not ended.
func serving(t *testing.T, chrome context.Context, width, height int64, scheme string) (*script, *page) {
	t.Helper()
	s := perform(t, "", "one", callPaths...)
	s.hello["loops"], s.hello["loop"], s.hello["root"], s.hello["roots"], s.hello["lane"] = []string{}, "", 0, []int{0}, -2
	s.hello["zones"] = []map[string]any{{"name": "request", "root": true, "every": 1}, {"name": "parse", "every": 1}, {"name": "query", "every": 1}, {"name": "disk", "wait": true, "every": 1}, {"name": "resize", "every": 1}}
	var units []any
	var columns [][]int
	s.starts = map[int]int{}
	const began, each = 1_000_000_000, 50 * ms
	at := began
	for second := range 60 {
		column := []int{began + second*1_000_000_000, 1_000_000_000}
		for k := range 20 {
			n := second*20 + k + 1
			took, disk, route, slow := 5*ms+n%10*100_000, 0, []string{"/cart", "/item", "/search"}[n%3], 0
			if n%400 == 200 {
				disk, route, slow = 58*ms, "/report", 1
			}
			took += disk
			start := at + k*each/20
			flat := []any{n, start, took, 7, 70 + n%4, slow, 1 - slow, []string{"route", route}, 0, 1, took, 1, 1, ms, 2, 1, 2*ms + disk}
			if disk > 0 {
				flat = append(flat, 3, 1, disk)
			}
			if route == "/item" {
				flat = append(flat, 4, 1, ms)
			}
			s.starts[n] = start
			if slow > 0 || n%5 == 0 {
				units = append(units, flat)
			}
			at += each / 20
		}
		at = began + (second+1)*1_000_000_000
		const short, long = 307, 366 // cells, of 5 and of 63 ms
		if slow := second % 20; slow == 9 {
			column = append(column, short, 19, long, 1)
		} else {
			column = append(column, short, 20)
		}
		columns = append(columns, column)
	}
	s.say("frames", map[string]any{"at_ns": at, "units": units, "columns": columns, "reset": true, "backlog": true, "frames": []int{}, "lost": 0,
		"lanes": [][]any{{-2, "its goroutine"}, {-3, "other goroutines"}, {7, "g7"}}})
	s.say("frames", map[string]any{"at_ns": at, "frames": []int{}, "lost": 0, "reports": []any{map[string]any{"number": 1, "root": "request", "unit": "span", "goroutine": 70, "start_ns": s.starts[200] + 2*ms,
		"duration_ns": 63*ms + 300, "usual_ns": 5 * ms, "cause": "syscall", "text": "request took 63 ms, 58 ms more than usual: 58 ms in a system call in zone disk",
		"account": []any{map[string]any{"cause": "syscall", "took_ns": 58 * ms, "zone": "disk"}, map[string]any{"cause": "own", "took_ns": 5 * ms, "usual_ns": 5 * ms}}}}})
	s.say("state", map[string]any{"at_ns": at, "viewers": 1, "totals": []int{}, "memory_bytes": 1, "busy_ns": 1,
		"open": []any{[]any{0, at - 2_500_000_000, 2_500_000_000, 7, 71, 0, 0, []string{"route", "/hangs"}, 0, 0, 2_500_000_000}}})
	p := watch(t, chrome, s.URL, width, height, scheme)
	p.until(t, `document.querySelectorAll("#slowest tbody tr").length === 4`)
	return s, p
}

// rows returns the notes in the list of the slowest calls.
func (p *page) slowest(t *testing.T) []string {
	t.Helper()
	return eval[[]string](t, p, `[...document.querySelectorAll("#slowest tbody tr")].map((e) => e.cells[0].textContent + " " + e.querySelector(".notes").textContent)`)
}

func TestASlowRequestAndItsCauseAreOneClickAway(t *testing.T) {
	chrome := fresh(t)
	for _, size := range [][2]int64{{1280, 900}, {400, 800}} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d wide, %s", size[0], scheme), func(t *testing.T) {
				_, p := serving(t, chrome, size[0], size[1], scheme)
				if got := p.slowest(t); len(got) != 4 || got[0] != "2 s so far route=/hangs" || got[1] != "63.0 ms route=/report" {
					t.Errorf("the slowest are %q", got)
				}
				liveColoursAreReadable(t, p, scheme == "dark") // before a row is selected, whose colour lets others through
				p.click(t, "#slowest tbody tr:nth-child(2) button")
				if got, want := p.text(t, "#compare strong"), "request/query/disk waited 58.0 ms, 58.0 ms more than in the median call."; got != want {
					t.Errorf("the page says %q, want %q", got, want)
				}
				if got := p.text(t, "#read"); !strings.Contains(got, "route=/report") {
					t.Errorf("the call reads %q", got)
				}
				if wide := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%d pixels too wide", wide)
				}
				if got, want := p.text(t, "#account strong"), "Request took 63 ms, 58 ms more than usual: 58 ms in a system call in zone disk."; got != want {
					t.Errorf("the cause is %q, want %q", got, want)
				}
				if causes := eval[[]string](t, p, `[...document.querySelectorAll("#slowest tbody td.cause")].map((e) => e.textContent)`); !slices.Equal(causes, []string{"not yet", "syscall", "no report", "no report"}) {
					t.Errorf("the causes of the slowest are %q", causes)
				}
				p.until(t, `document.getElementById("timeline-scope").textContent === "5 spans on 2 lanes"`)
				if got := p.text(t, "#timeline-notes"); got != "Missing: up to 2 spans." {
					t.Errorf("the notes of the timeline are %q", got)
				}
				p.quiet(t)
			})
		}
	}
}

func TestWhatSlowRequestsHaveInCommonIsShown(t *testing.T) {
	_, p := serving(t, fresh(t), 1280, 900, "light")
	if got := []string{p.text(t, "#rate"), p.text(t, "#low1"), p.text(t, "#p99")}; !slices.Equal(got, []string{"20", "5.1 ms", "5.1 ms"}) {
		t.Errorf("rate, median and 99th percentile are %q", got)
	}
	type box struct{ X, Y, Width, Height float64 }
	b := eval[box](t, p, `document.getElementById("heat").getBoundingClientRect().toJSON()`)
	if dots := eval[string](t, p, `document.getElementById("heat").dataset.dots`); dots != "4" {
		t.Errorf("%s dots", dots)
	}
	p.do(t, chromedp.MouseEvent(chromedp.MousePressed, b.X+2, b.Y+1, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, b.X+b.Width/2, b.Y+40, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, b.X+b.Width-2, b.Y+0.68*b.Height, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, b.X+b.Width-2, b.Y+0.68*b.Height, chromedp.ButtonLeft))
	p.settle(t)
	p.until(t, `!document.getElementById("common").hidden`)
	if got, want := p.text(t, "#common strong"), "request/query/disk took 58.0 ms in these calls, 58.0 ms more than in others."; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	if rows := eval[[]string](t, p, `[...document.querySelectorAll("#common tbody tr")].map((e) => [...e.cells].map((c) => c.textContent).join(" "))`); len(rows) < 2 || !strings.HasPrefix(rows[0], "request/query/disk 58.0 ms 0 ns") || !strings.HasPrefix(rows[1], "route=/report 100 % 0 %") {
		t.Errorf("in common: %q", rows)
	}
	if got := p.text(t, "#scope"); !strings.HasPrefix(got, "3 calls in ") {
		t.Errorf("the tables are about %q", got)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#heat")), chromedp.KeyEvent(kb.Escape))
	p.press(t, "w")
	if got := p.text(t, "#flame-name"); !strings.HasPrefix(got, "Call ") {
		t.Errorf("W shows %q", got)
	}
	before := p.text(t, "#flame-name")
	p.press(t, kb.ArrowRight)
	if got := p.text(t, "#flame-name"); got == before || !strings.HasPrefix(got, "Call ") {
		t.Errorf("the key to the right leads from %q to %q", before, got)
	}
	p.do(t, chromedp.SendKeys(chromedp.CSS("#slowest input"), "route=/item"))
	p.settle(t)
	if got := p.slowest(t); len(got) < 10 || strings.Contains(strings.Join(got, " "), "/cart") || !strings.Contains(got[0], "/item") {
		t.Errorf("found: %q", got)
	}
	p.quiet(t)
}

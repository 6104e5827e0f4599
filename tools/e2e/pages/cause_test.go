// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// ticker opens the page of a simulation like that of strobe demo: a loop that waits for workers on lanes of their own. In frame
// 401 one of them takes 312 ms.
func ticker(t *testing.T, chrome context.Context) *page {
	t.Helper()
	s := perform(t, "", "ticker", []int{0, 0, -1, 0}, []int{1, 0, 0, 1}, []int{2, 0, 1, 2}, []int{3, 1, -1, 3}, []int{4, 2, -1, 3}, []int{5, 3, -1, 3}, []int{6, 4, -1, 3})
	s.hello["zones"] = []map[string]any{{"name": "tick", "every": 1}, {"name": "neighbours", "every": 1}, {"name": "join", "wait": true, "every": 1}, {"name": "work", "every": 1}}
	s.frames(0, map[string]any{"lanes": [][]any{{0, "ticker"}, {1, "worker 1"}, {2, "worker 2"}, {3, "worker 3"}, {4, "worker 4"}}})
	var list [][]int
	for n := range 600 {
		f := []int{s.number, s.at, 14_600_000, 0, 1, 1_350_000, 1, 1, 800_000, 2, 1, 500_000, 3, 1, 240_000, 4, 1, 350_000, 5, 1, 500_000, 6, 1, 680_000 + n%7*10_000}
		if n == 400 {
			f[2], f[5], f[8], f[11], f[17] = 325*ms, 318*ms, 316*ms, 315*ms, 312*ms
		}
		s.number, s.at = s.number+1, s.at+f[2]
		list = append(list, f)
	}
	s.pass(list, map[string]any{})
	return watch(t, chrome, s.URL, 1280, 900, "light")
}

func TestTheHeadlineNamesWhatTheLoopWaitedFor(t *testing.T) {
	p := ticker(t, fresh(t))
	p.click(t, "#worst button")
	want := "work took 312 ms on worker 2, 312 ms more than in the median frame; tick/neighbours/join waited meanwhile."
	if got := p.text(t, "#compare strong"); got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	p.press(t, "l")
	want = "worker 2: work took 312 ms, 312 ms more than in the median frame; ticker: tick/neighbours/join waited meanwhile."
	if got := p.text(t, "#compare strong"); got != want {
		t.Errorf("split by lane the page says %q, want %q", got, want)
	}
	p.quiet(t)
}

// The time outside any zone is known only on the loop's lane: 13.25 of 14.6 ms, not what all lanes together leave.
func TestTimeOutsideAnyZoneIsThatOfTheLoopsLane(t *testing.T) {
	p := ticker(t, fresh(t))
	eval[bool](t, p, `(() => {
		const write = CanvasRenderingContext2D.prototype.fillText;
		window.written = [];
		CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { if (this.canvas.parentElement.id === "flame") written.push({ text, x, y }); write.call(this, text, x, y); };
		return true;
	})()`)
	type text struct {
		Text string
		X, Y float64
	}
	// texts returns the texts of the call tree after a key.
	texts := func(key string) (all []text) {
		t.Helper()
		eval[bool](t, p, `written.length = 0, true`)
		p.press(t, key)
		return eval[[]text](t, p, `written`)
	}
	of := func(all []text, what string) (found []text) {
		for _, w := range all {
			if w.Text == what {
				found = append(found, w)
			}
		}
		return found
	}
	p.press(t, "w", "w") // an ordinary frame
	if all := texts("a"); len(of(all, "outside any zone")) != 0 {
		t.Errorf("over lanes that are added up: %v", all)
	}
	p.press(t, "a") // removes the bookmark again
	all := texts("l")
	free, own := of(all, "outside any zone"), of(all, "ticker")
	if len(free) == 0 || len(own) == 0 || slices.ContainsFunc(free, func(w text) bool { return w.Y < own[0].Y || w.Y > own[0].Y+30 }) {
		t.Errorf("split by lane: %v", all)
	}
	rows := eval[[]string](t, p, `[...document.querySelectorAll("#differences tbody tr")].map((e) => e.textContent)`)
	for _, row := range rows {
		if strings.HasPrefix(row, "outside") && !strings.HasPrefix(row, "outside any zone13.3 ms13.3 ms") {
			t.Errorf("in the table: %q", row)
		}
	}
	p.press(t, "W") // the slow one
	p.press(t, "l")
	if got, want := p.text(t, "#flame-read"), "All lanes added up: 631 ms in 325 ms. Split by lane shows each by itself."; got != want {
		t.Errorf("lanes added up: %q, want %q", got, want)
	}
	all = texts("a")
	if of(all, "325 ms") == nil {
		t.Errorf("the end of the frame is not marked: %v", fmt.Sprint(all))
	}
	p.quiet(t)
}

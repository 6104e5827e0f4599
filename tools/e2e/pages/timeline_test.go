// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A box is the position and size of an element.
type box struct{ X, Y, Width, Height float64 }

func (p *page) box(t *testing.T, id string) box {
	t.Helper()
	return eval[box](t, p, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.scrollIntoView({ block: "center" }); return e.getBoundingClientRect().toJSON(); })()`, id))
}

// timeline waits until the timeline of a frame is drawn, and returns the box of its lanes.
func (p *page) timeline(t *testing.T, frame string) box {
	t.Helper()
	p.until(t, fmt.Sprintf(`document.getElementById("timeline-name").textContent === %q && !document.getElementById("timeline-lanes").hidden && Number(document.getElementById("timeline-lanes").dataset.rectangles) > 0`, "Timeline of "+frame))
	p.settle(t)
	return p.box(t, "timeline-lanes")
}

// over moves the pointer over the lanes and returns the text that the page shows.
func (p *page) over(t *testing.T, b box, share, y float64) string {
	t.Helper()
	p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, b.X+share*b.Width, b.Y+y))
	p.settle(t)
	return p.text(t, "#timeline-read")
}

// window returns the text about the visible part of the frame; "" for the whole frame.
func (p *page) window(t *testing.T) string {
	t.Helper()
	p.settle(t)
	_, words, _ := strings.Cut(p.text(t, "#timeline-scope"), " lane")
	_, words, _ = strings.Cut(words, " · ")
	return words
}

func (p *page) wheel(t *testing.T, x, y, dx, dy float64) {
	t.Helper()
	eval[chromedp.Void](t, p, fmt.Sprintf(`document.getElementById("timeline-lanes").dispatchEvent(new WheelEvent("wheel", { clientX: %v, clientY: %v, deltaX: %v, deltaY: %v, bubbles: true, cancelable: true }))`, x, y, dx, dy))
	p.settle(t)
}

// Rows of a lane are 18 pixels high, below its name of 19.
const firstRow, rowHeight = 19 + 9, 18

func TestTheTimelineShowsTheSpansOfTheChosenFrame(t *testing.T) {
	chrome := fresh(t)
	for _, size := range [][2]int64{{1280, 900}, {390, 800}} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d wide, %s", size[0], scheme), func(t *testing.T) {
				_, p := stutter(t, chrome, size[0], size[1], scheme)
				if eval[bool](t, p, `!document.getElementById("timeline").hidden`) {
					t.Error("a timeline without a frame")
				}
				p.click(t, "#worst button")
				b := p.timeline(t, "frame 401")
				if got := p.text(t, "#timeline-scope"); got != "17 spans on 1 lane" {
					t.Errorf("it has %q", got)
				}
				if got := p.text(t, "#timeline-notes"); got != "Of render, one in 8 calls is timed. Only these are shown." {
					t.Errorf("its limits are %q", got)
				}
				// The last call of path began after 0.5 + 1 + 0.4 ms and eleven calls of 25 µs with 5 µs between them.
				start, took := 1.9+0.33, 41.2-0.275
				whole := 45 + 5.0 + 0.5 + 0.1 + float64(401*7919%101)/1000
				for _, at := range []float64{start + 0.2, start + took/2, start + took - 0.2} {
					got := p.over(t, b, at/whole, firstRow+2*rowHeight)
					if !strings.HasPrefix(got, "update/ai/path · 40.9 ms · at 2.230 ms · self 40.9 ms and 80.8 % of the frame · lane main") {
						t.Errorf("%.2f ms from the start it reads %q", at, got)
					}
				}
				for _, at := range []float64{start + took + 0.3, start - 1} {
					if got := p.over(t, b, at/whole, firstRow+2*rowHeight); strings.Contains(got, "path") {
						t.Errorf("%.2f ms from the start it reads %q", at, got)
					}
				}
				if got := p.over(t, b, 0.5, firstRow); !strings.HasPrefix(got, "update · 45.0 ms · at 500.0 µs · self 3.00 ms") {
					t.Errorf("above it is %q", got)
				}
				liveColoursAreReadable(t, p, scheme == "dark")
				if wide := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%d pixels too wide", wide)
				}
				p.quiet(t)
			})
		}
	}
}

func TestSpansThatAreLongerThanTheFrameAreMarked(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.click(t, "#worst button")
	p.timeline(t, "frame 401")
	p.press(t, kb.ArrowRight)
	b := p.timeline(t, "frame 402")
	const audio = 19 + 3*rowHeight + 5
	if got := p.over(t, b, 0.01, audio+firstRow); !strings.HasPrefix(got, "mix · ") || !strings.Contains(got, "300 µs before the frame") {
		t.Errorf("at the left edge: %q", got)
	}
	if got := p.over(t, b, 0.99, audio+firstRow); !strings.Contains(got, "mix · had not ended · at 14.67 ms") {
		t.Errorf("at the right edge: %q", got)
	}
	if got := p.over(t, b, 0.5, audio+firstRow); got != "outside any zone · 14.2 ms · at 419.0 µs · lane audio" {
		t.Errorf("between them: %q", got)
	}
	// The edges are jagged: parts have the colour of the page.
	edge := eval[[]int](t, p, fmt.Sprintf(`(() => {
		const canvas = document.querySelector("#timeline-lanes canvas"), w = canvas.width, { data } = canvas.getContext("2d").getImageData(0, %d, w, 15), at = (x, y) => data.slice(4 * (y * w + x), 4 * (y * w + x) + 3).join();
		return [1, w - 2].map((x) => Array.from({ length: 14 }, (_, y) => at(x, y) !== at(x, y + 1)).filter(Boolean).length);
	})()`, audio+20))
	for _, n := range edge {
		if n < 4 {
			t.Errorf("an edge changes its colour %d times", n)
		}
	}
	p.quiet(t)
}

func TestTheTimelineZoomsAndMoves(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.click(t, "#worst button")
	b := p.timeline(t, "frame 401")
	x, y := b.X+b.Width/4, b.Y+firstRow
	at := func() string { // the time under the pointer
		t.Helper()
		p.over(t, b, 0.25, -3) // the axis
		return p.over(t, b, 0.25, firstRow)
	}
	before := at()
	for range 6 {
		p.wheel(t, x, y, 0, -150)
	}
	if after := at(); !strings.HasPrefix(after, before[:14]) {
		t.Errorf("under the pointer was %q and is %q", before, after)
	}
	zoomed := p.window(t)
	if !strings.HasPrefix(zoomed, "6.33 ms of 50.7 ms, from 11.") { // an eighth
		t.Errorf("zoomed by the wheel: %q", zoomed)
	}
	p.wheel(t, x, y, b.Width/2, 0)
	if got := p.window(t); !strings.HasPrefix(got, "6.33 ms of 50.7 ms, from 14.") {
		t.Errorf("moved by the wheel: %q", got)
	}
	p.drag(t, "#timeline-lanes", 0.25, 0.75)
	if got := p.window(t); got != zoomed {
		t.Errorf("dragged back: %q, want %q", got, zoomed)
	}
	for range 2 {
		p.do(t, chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(2)), chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(2)))
	}
	if got := p.window(t); got != "" {
		t.Errorf("after a double click: %q", got)
	}
	p.drag(t, "#timeline-axis", 0.5, 0.6) // a brush
	if got := p.window(t); got != "5.07 ms of 50.7 ms, from 25.348 ms" {
		t.Errorf("brushed: %q", got)
	}
	p.click(t, "#timeline-fit")
	if got := p.window(t); got != "" {
		t.Errorf("after the button: %q", got)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#timeline-lanes")))
	for _, step := range [][2]string{{"+", "25.3 ms of 50.7 ms, from 11.50 ms"}, {"+", "12.7 ms of 50.7 ms, from 17.83 ms"}, {kb.PageDown, "12.7 ms of 50.7 ms, from 24.17 ms"},
		{kb.End, "12.7 ms of 50.7 ms, from 38.01 ms"}, {kb.Home, "12.7 ms of 50.7 ms, from 0.00 ms"}, {"-", "25.3 ms of 50.7 ms, from 0.00 ms"}, {"0", ""}} { // these zoom around the zone that the clicks chose
		if p.press(t, step[0]); p.window(t) != step[1] {
			t.Errorf("after the key %q: %q, want %q", step[0], p.window(t), step[1])
		}
	}
	p.quiet(t)
}

func TestTwoFingersZoomTheTimeline(t *testing.T) {
	_, p := stutter(t, fresh(t), 390, 800, "light")
	p.click(t, "#worst button")
	b := p.timeline(t, "frame 401")
	touch := func(kind input.DispatchTouchEventType, x ...float64) {
		t.Helper()
		points := []*input.TouchPoint{}
		for i, share := range x {
			id := float64(i)
			points = append(points, &input.TouchPoint{X: b.X + share*b.Width, Y: b.Y + firstRow, ID: &id})
		}
		command(t, p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		p.settle(t)
	}
	touch("touchStart", 0.45)
	touch("touchStart", 0.45, 0.55)
	for _, by := range []float64{0.1, 0.15, 0.2} {
		touch("touchMove", 0.5-by, 0.5+by)
	}
	if got := p.window(t); !strings.HasPrefix(got, "12.7 ms of 50.7 ms, from 19.") { // four times as far apart
		t.Errorf("zoomed by two fingers: %q", got)
	}
	touch("touchEnd")
	touch("touchStart", 0.3)
	touch("touchMove", 0.4)
	touch("touchMove", 0.5)
	if got := p.window(t); !strings.HasPrefix(got, "12.7 ms of 50.7 ms, from 16.") {
		t.Errorf("moved by one finger: %q", got)
	}
	touch("touchEnd")
	if got := p.text(t, "#timeline-read"); !strings.HasPrefix(got, "Wheel") {
		t.Errorf("they have chosen %q", got)
	}
	p.quiet(t)
}

func TestTheWholeFrameAboveTheTimelineMovesTheWindow(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.click(t, "#worst button")
	p.timeline(t, "frame 401")
	b := p.box(t, "timeline-axis")
	mouse := func(kind input.DispatchMouseEventType, share float64) {
		t.Helper()
		p.do(t, chromedp.MouseEvent(kind, b.X+share*b.Width, b.Y+8, chromedp.ButtonLeft))
		p.settle(t)
	}
	drag := func(from, to float64) string {
		t.Helper()
		mouse(chromedp.MousePressed, from)
		mouse(chromedp.MouseMoved, (from+to)/2)
		mouse(chromedp.MouseMoved, to)
		mouse(chromedp.MouseReleased, to)
		return p.window(t)
	}
	for _, step := range []struct {
		from, to float64
		want     string
	}{{0.2, 0.4, "10.1 ms of 50.7 ms, from 10.1"}, {0.3, 0.5, "10.1 ms of 50.7 ms, from 20.2"}, {0.8, 0.8, "10.1 ms of 50.7 ms, from 35.4"}, {0.1, 0.05, "2.53 ms of 50.7 ms, from 2.53"}} {
		if got := drag(step.from, step.to); !strings.HasPrefix(got, step.want) {
			t.Errorf("dragged from %v to %v: %q, want %q", step.from, step.to, got, step.want)
		}
	}
	p.quiet(t)
}

func TestALaneFoldsAndTheLanesScroll(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	s.mu.Lock()
	s.more = crowded
	s.mu.Unlock()
	p.click(t, "#worst button")
	b := p.timeline(t, "frame 401")
	const lane = 19 + 3*rowHeight + 5
	p.do(t, chromedp.MouseClickXY(b.X+20, b.Y+9))
	p.settle(t)
	if got := p.over(t, b, 0.3, lane-2*rowHeight+9); strings.Contains(got, "lane worker 0") { // the name of the next lane
		t.Errorf("below the folded lane: %q", got)
	}
	found := ""
	for share := 0.3; share < 0.31 && !strings.Contains(found, "update/ai/path"); share += 0.0005 {
		found = p.over(t, b, share, lane-2*rowHeight+firstRow+2*rowHeight)
	}
	if !strings.Contains(found, "lane worker 1") {
		t.Errorf("the next lane has moved up: %q", found)
	}
	from, to := b.Y+b.Height-20, b.Y+20
	p.do(t, chromedp.MouseEvent(chromedp.MousePressed, b.X+300, from, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseMoved, b.X+300, (from+to)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, b.X+300, to, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseReleased, b.X+300, to, chromedp.ButtonLeft))
	p.settle(t)
	if top := eval[float64](t, p, `document.getElementById("timeline-lanes").scrollTop`); top < 100 {
		t.Errorf("dragged up, the lanes have scrolled by %v", top)
	}
	if got := p.over(t, b, 0.995, b.Height-rowHeight/2-5-2*rowHeight); !strings.HasSuffix(got, "lane worker 7") {
		t.Errorf("at the bottom: %q", got)
	}
	p.quiet(t)
}

func TestASpanIsChosenByClickAndByKey(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.click(t, "#worst button")
	b := p.timeline(t, "frame 401")
	on := func() string {
		t.Helper()
		return eval[string](t, p, `[...document.querySelectorAll("#zones tr.on th")].map((e) => e.textContent).join()`)
	}
	p.do(t, chromedp.MouseClickXY(b.X+b.Width/2, b.Y+firstRow+rowHeight))
	p.settle(t)
	if got := on(); got != "ai" {
		t.Errorf("after a click the table shows %q", got)
	}
	p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.settle(t)
	if got := p.text(t, "#timeline-read"); !strings.HasPrefix(got, "update/ai · 42.0 ms") {
		t.Errorf("what was clicked reads %q", got)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#timeline-lanes")))
	for _, step := range [][2]string{{kb.ArrowUp, "update"}, {kb.ArrowRight, "render"}, {kb.ArrowLeft, "update"}, {kb.ArrowLeft, "input"}, {kb.ArrowLeft, "input"}, {kb.ArrowRight, "update"},
		{kb.ArrowDown, "ai"}, {kb.ArrowDown, "path"}, {kb.ArrowRight, "path"}} {
		if p.press(t, step[0]); on() != step[1] {
			t.Errorf("after %q: %q, want %q", step[0], on(), step[1])
		}
	}
	p.press(t, kb.Enter)
	if got := p.window(t); got != "27.5 µs of 50.7 ms, from 1928.75 µs" && got != "27.5 µs of 50.7 ms, from 1.92875 ms" {
		t.Errorf("after Enter: %q", got)
	}
	p.press(t, "0")
	p.do(t, chromedp.MouseClickXY(b.X+b.Width-3, b.Y+b.Height-4)) // clicks on no span
	p.settle(t)
	if got := on(); got != "" {
		t.Errorf("after a click beside the spans: %q", got)
	}
	p.do(t, chromedp.SendKeys(chromedp.CSS("#find"), "pa"))
	p.settle(t)
	if got := p.text(t, "#timeline-scope"); got != "17 spans on 1 lane · 12 of pa" {
		t.Errorf("found: %q", got)
	}
	p.quiet(t)
}

func TestTheTimelineIsATableToo(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.click(t, "#worst button")
	p.timeline(t, "frame 401")
	p.click(t, "#timeline-list summary")
	p.until(t, `document.querySelectorAll("#timeline-list tbody tr").length === 17`)
	rows := eval[[]string](t, p, `[...document.querySelectorAll("#timeline-list tbody tr")].slice(0, 3).map((r) => [...r.cells].map((c) => c.textContent).join(" | "))`)
	if got := strings.Join(rows, "\n"); got != "update | main | at 500.0 µs | 45.0 ms\nupdate/ai | main | at 1.500 ms | 42.0 ms\nupdate/ai/path | main | at 2.230 ms | 40.9 ms" {
		t.Errorf("%s", got)
	}
	p.click(t, "#timeline-list tbody tr:nth-child(2) button")
	if got := eval[string](t, p, `document.querySelector("#zones tr.on th").textContent`); got != "ai" {
		t.Errorf("chosen in the table: %q", got)
	}
	p.quiet(t)
}

func TestATimelineThatIsMissingSaysWhy(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	s.mu.Lock()
	delete(s.past, 401)
	s.mu.Unlock()
	p.click(t, "#worst button")
	p.until(t, `document.getElementById("timeline-notes").textContent === "There is no timeline: this frame is not kept."`)
	if eval[bool](t, p, `!document.getElementById("timeline-lanes").hidden`) {
		t.Error("lanes without spans")
	}
	s.mu.Lock()
	s.more = func(a map[string]any) {
		a["left_out"], a["left_out_ns"], a["lost"], a["more_lanes"], a["still_lanes"] = 12, 3400, 1, 5, 2
	}
	s.mu.Unlock()
	p.press(t, kb.ArrowRight)
	b := p.timeline(t, "frame 402")
	if got := eval[[]string](t, p, `[...document.querySelectorAll("#timeline-notes li")].map((e) => e.textContent)`); len(got) != 5 ||
		got[0] != "A frame keeps its longest spans: 12 shorter ones, each up to 3.40 µs, are left out." ||
		got[1] != "Up to 1 span of this time was overwritten before being read. Use a larger recording: strobe.Record." ||
		!strings.HasPrefix(got[2], "5 more lanes, which worked less, are left out.") || !strings.HasPrefix(got[3], "2 more lanes had spans open, but nothing began or ended there") {
		t.Errorf("%q", got)
	}
	if got := p.over(t, b, 0.5, 19+3*rowHeight+5+firstRow); !strings.HasPrefix(got, "without a span that is kept · 14.2 ms") {
		t.Errorf("a gap that may not be one: %q", got)
	}
	p.quiet(t)
}

// crowded adds ten thousand spans on eight lanes, up to four deep.
func crowded(answer map[string]any) {
	took := answer["duration_ns"].(int)
	var lanes []map[string]any
	for l := range 8 {
		var spans []int
		for k := range 1250 / 5 { // each in one 250th of the frame
			each := took / 250
			at := k*each + (k*7919+l*104729)%(each/4)
			spans = append(spans, 1, at, each*2/3, 2, at+each/20, each/2, 3, at+each/10, each/100, 3, at+each/5, each/300, 3, at+each/4, each/10)
		}
		lanes = append(lanes, map[string]any{"id": l, "name": fmt.Sprint("worker ", l), "spans": spans})
	}
	answer["lanes"] = lanes
}

// The number of rectangles for ten thousand spans is bounded by the number of pixels.
func TestTenThousandSpansAreDrawn(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	s.mu.Lock()
	s.more = crowded
	s.mu.Unlock()
	p.click(t, "#worst button")
	b := p.timeline(t, "frame 401")
	if got := p.text(t, "#timeline-scope"); got != "10000 spans on 8 lanes" {
		t.Errorf("%q", got)
	}
	eval[chromedp.Void](t, p, `(() => { const { fillRect } = CanvasRenderingContext2D.prototype; window.drawn = 0; CanvasRenderingContext2D.prototype.fillRect = function (...a) { window.drawn++; return fillRect.apply(this, a); }; })()`)
	p.do(t, chromedp.Focus(chromedp.CSS("#timeline-lanes")))
	most := 8 * 3 * (2*int(b.Width) + 2)
	for _, keys := range []string{"0", "++", "+++", "++++"} {
		before := eval[int](t, p, `window.drawn`)
		p.press(t, strings.Split(keys, "")...)
		rectangles, drawn := eval[string](t, p, `document.getElementById("timeline-lanes").dataset.rectangles`), eval[int](t, p, `window.drawn`)-before
		t.Logf("%s: %s rectangles, %d calls", keys, rectangles, drawn)
		if drawn == 0 || drawn > len(keys)*most {
			t.Errorf("%d rectangles for %d pictures of %v pixels", drawn, len(keys), b.Width)
		}
	}
	merged := ""
	p.press(t, "0")
	for y := 0.0; y < b.Height && !strings.Contains(merged, "too short"); y += 4 {
		for share := 0.01; share < 0.03 && !strings.Contains(merged, "too short"); share += 0.001 {
			merged = p.over(t, b, share, y)
		}
	}
	if !strings.Contains(merged, "spans too short to be drawn") || !strings.Contains(merged, "in all, the longest update/ai/path") {
		t.Errorf("merged spans read %q", merged)
	}
	p.quiet(t)
}

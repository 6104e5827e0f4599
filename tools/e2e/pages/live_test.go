// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// stutter opens the page of a program whose path-finding took 41.2 ms in frame 401 of 600.
func stutter(t *testing.T, chrome context.Context, width, height int64, scheme string) (*script, *page) {
	t.Helper()
	s := perform(t, "", "one")
	s.frames(400, map[string]any{"backlog": true})
	s.slow(41_200_000)
	s.frames(199, map[string]any{"backlog": true})
	return s, watch(t, chrome, s.URL, width, height, scheme)
}

// watch opens the live page of a program and waits until it has drawn.
func watch(t *testing.T, chrome context.Context, address string, width, height int64, scheme string) *page {
	t.Helper()
	p := visit(t, chrome, address+"/", address, width, height, scheme)
	p.until(t, `window.ready === true`)
	return p
}

// until waits until a condition holds in the page. A condition that throws does not hold yet: it may name an element that the
// page is about to make, and a poll whose condition throws would never end.
func (p *page) until(t *testing.T, condition string) {
	t.Helper()
	holds := fmt.Sprintf("(() => { try { return (%s); } catch { return false; } })()", condition)
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](holds, chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
		t.Fatalf("never %s: %v", condition, err)
	}
}

// text returns the text of an element, which a busy machine may draw later than in the next two pictures.
func (p *page) text(t *testing.T, selector string) string {
	t.Helper()
	p.until(t, fmt.Sprintf(`document.querySelector(%q) !== null`, selector))
	return eval[string](t, p, fmt.Sprintf(`document.querySelector(%q).textContent`, selector))
}

// settle waits for two more pictures.
func (p *page) settle(t *testing.T) {
	t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
}

func (p *page) click(t *testing.T, selector string) {
	t.Helper()
	for tries := 0; ; tries++ {
		err := chromedp.Do(p.ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil {
			break
		}
		if tries == 10 || !strings.Contains(err.Error(), "Could not find node") { // the page has just drawn it anew
			t.Fatal(err)
		}
	}
	p.settle(t)
}

func (p *page) press(t *testing.T, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if strings.Contains("/?wabltsc ", k) { // unlike KeyEvent this leaves it to the page whether a character arrives
			text := k
			if k == " " {
				text = ""
			}
			for _, kind := range []input.DispatchKeyEventType{"keyDown", "keyUp"} {
				command(t, p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: k, Text: text})
				text = ""
			}
			continue
		}
		p.do(t, chromedp.KeyEvent(k))
	}
	p.settle(t)
}

// drag drags the pointer over an element, from one fraction of its width to another.
func (p *page) drag(t *testing.T, selector string, from, to float64) {
	t.Helper()
	type box struct{ X, Y, Width, Height float64 }
	b := eval[box](t, p, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: "center" }); return e.getBoundingClientRect().toJSON(); })()`, selector))
	at := func(share float64) (x, y float64) { return b.X + share*b.Width, b.Y + b.Height/2 }
	x, y := at(from)
	p.do(t, chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft))
	for _, share := range []float64{from + (to-from)/3, to} {
		x, y = at(share)
		p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
	}
	p.do(t, chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft))
	p.settle(t)
}

// zones returns the names in the table of zones, from top to bottom.
func (p *page) zones(t *testing.T) []string {
	t.Helper()
	return eval[[]string](t, p, `[...document.querySelectorAll("#zones tbody th")].map((e) => e.textContent)`)
}

const cause = "update/ai/path took 41.2 ms, 40.9 ms more than in the median frame."

func TestTheCauseOfAStutterIsOneClickAway(t *testing.T) {
	chrome := fresh(t)
	for _, size := range [][2]int64{{1280, 900}, {400, 800}} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d wide, %s", size[0], scheme), func(t *testing.T) {
				_, p := stutter(t, chrome, size[0], size[1], scheme)
				p.click(t, "#worst button")
				if got := p.text(t, "#compare strong"); got != cause {
					t.Errorf("the page says %q, want %q", got, cause)
				}
				if rows := eval[[]string](t, p, `[...document.querySelectorAll("#differences tbody td:first-child")].map((e) => e.textContent)`); len(rows) == 0 || rows[0] != "update/ai/path" {
					t.Errorf("what differs: %q", rows)
				}
				if got := p.text(t, "#status"); got != "process 42 · frozen" {
					t.Errorf("status %q", got)
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

// liveColoursAreReadable checks that text has a contrast of 4.5, as WCAG 2 requires.
func liveColoursAreReadable(t *testing.T, p *page, dark bool) {
	t.Helper()
	type pair struct {
		What        string
		Front, Back []float64
	}
	pairs := eval[[]pair](t, p, `(() => {
		const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
		const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c) && c !== "transparent") return rgb(c); } return [255, 255, 255]; };
		return [...document.querySelectorAll("h1, h2, p, dt, dd, td, th, small, output, button, label, select, summary, strong, span")].filter((e) => e.offsetParent && e.textContent.trim())
			.map((e) => ({ what: e.tagName + " " + e.textContent.slice(0, 20), front: rgb(getComputedStyle(e).color), back: back(e) }));
	})()`)
	if len(pairs) < 50 {
		t.Errorf("%d colours", len(pairs))
	}
	for _, c := range pairs {
		if r := contrast(c.Front, c.Back); r < 4.5 {
			t.Errorf("%s has a contrast of %.1f", c.What, r)
		}
	}
	if back := eval[[]float64](t, p, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)`); (luminance(back) > 0.5) == dark {
		t.Errorf("the page is %v", back)
	}
}

func TestAClickOnTheStripChoosesTheSpikeNearby(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	type box struct{ X, Y, Width, Height float64 }
	b := eval[box](t, p, `document.getElementById("strip").getBoundingClientRect().toJSON()`)
	share := 1 - (199.5*16.667+51)/10000 // of the ten seconds that the strip shows
	x, y := b.X+share*b.Width, b.Y+b.Height/2
	p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	p.settle(t)
	if got := p.text(t, "#read"); !strings.HasPrefix(got, "frame 401 · 50.") || !strings.Contains(got, "update 45.0 ms") {
		t.Errorf("over the spike the page reads %q", got)
	}
	p.do(t, chromedp.MouseClickXY(x, y))
	p.settle(t)
	if got := p.text(t, "#compare strong"); got != cause {
		t.Errorf("the page says %q", got)
	}
	p.press(t, kb.ArrowRight)
	if got := p.text(t, "#flame-name"); got != "Frame 402" {
		t.Errorf("after the key to the right: %q", got)
	}
	if got := p.text(t, "#compare strong"); !strings.HasPrefix(got, "No zone differs from the median frame by more than ") {
		t.Errorf("of a usual frame the page says %q", got)
	}
	p.press(t, kb.Escape)
	if eval[bool](t, p, `!document.getElementById("compare").hidden`) {
		t.Error("Escape leaves the comparison")
	}
	p.quiet(t)
}

// If all frames of a program are in one zone, the bars show the zones inside it, and the page says so.
func TestAZoneAroundEverythingDoesNotHideWhatIsInside(t *testing.T) {
	s := perform(t, "", "outer", []int{0, 0, -1, 4}, []int{1, 0, 0, 0}, []int{2, 0, 0, 1}, []int{3, 0, 2, 3})
	var list [][]int
	for range 200 {
		list = append(list, []int{s.number, s.at, 40 * ms, 0, 1, 39 * ms, 1, 1, 10 * ms, 2, 1, 20 * ms, 3, 1, 12 * ms})
		s.number, s.at = s.number+1, s.at+40*ms
	}
	s.pass(list, map[string]any{})
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	if got := p.text(t, "#read"); !strings.HasSuffix(got, " Bars show the zones inside render.") {
		t.Errorf("the page says %q", got)
	}
	colours := eval[[]string](t, p, `(() => {
		const canvas = document.querySelector("#strip canvas"), column = canvas.getContext("2d").getImageData(canvas.width - 60, 0, 1, canvas.height).data, n = {};
		for (let i = 0; i < column.length; i += 4) { const key = column.slice(i, i + 4).join(" "); n[key] = (n[key] || 0) + 1; }
		return Object.keys(n).filter((key) => n[key] > 10);
	})()`)
	if len(colours) < 4 { // input, update, the rest of render, and the page
		t.Errorf("a bar has the colours %q", colours)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#strip")))
	p.press(t, kb.ArrowLeft)
	if got, want := p.text(t, "#read"), "frame 200 · 40.0 ms · render/update 20.0 ms · render/input 10.0 ms · rest of render 9.00 ms"; got != want {
		t.Errorf("of a frame the page says %q, want %q", got, want)
	}
	p.quiet(t)
}

func TestTheTableSorts(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	column := func(key, order string, least int) {
		t.Helper()
		names := p.zones(t)
		if got := eval[string](t, p, fmt.Sprintf(`document.querySelector("#zones th[data-key=%s]").ariaSort`, key)); got != order {
			t.Errorf("%s is sorted %q", key, got)
		}
		if names[0] != []string{"input", "update", "ai", "path", "render", "wait", "mix"}[least] {
			t.Errorf("sorted by %s, %s: %q", key, order, names)
		}
	}
	column("frame", "descending", 5)
	p.click(t, "#zones th[data-key=max] button")
	column("max", "descending", 1)
	p.click(t, "#zones th[data-key=max] button")
	column("max", "ascending", 0)
	p.click(t, "#zones th[data-key=name] button")
	column("name", "ascending", 2)
	p.quiet(t)
}

func TestFrozenFramesStayWhileOthersCome(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	p.press(t, " ")
	before := p.text(t, "#scope")
	s.frames(100, map[string]any{})
	s.slow(70 * ms)
	p.until(t, `document.querySelector("#worst button").textContent.startsWith("79.")`)
	if after := p.text(t, "#scope"); after != before || !strings.HasSuffix(before, " frames in view") {
		t.Errorf("frozen: %q became %q", before, after)
	}
	if p.text(t, "#freeze") != "Resume" || !strings.HasSuffix(p.text(t, "#status"), "frozen") {
		t.Errorf("%q, %q", p.text(t, "#freeze"), p.text(t, "#status"))
	}
	p.click(t, "#freeze")
	p.press(t, kb.ArrowLeft) // to the latest
	if got := p.text(t, "#flame-name"); got != "Frame 701" {
		t.Errorf("the latest is %q", got)
	}
	p.quiet(t)
}

func TestThePageFreezesOnASlowFrame(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	p.do(t, chromedp.SendKeys(chromedp.CSS("#limit"), "60"))
	p.click(t, "#slow")
	s.slow(41_200_000) // 51 ms: not over the limit
	s.frames(50, map[string]any{})
	s.slow(60 * ms)
	s.frames(50, map[string]any{})
	p.until(t, `document.getElementById("status").textContent.includes("frozen")`)
	p.settle(t)
	if got := p.text(t, "#compare strong"); !strings.HasPrefix(got, "update/ai/path took 60.0 ms") {
		t.Errorf("the page says %q", got)
	}
	if got := p.text(t, "#flame-name"); got != "Frame 652" {
		t.Errorf("it froze at %q", got)
	}
	p.quiet(t)
}

func TestABrushedTailShowsItsFrames(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.press(t, " ", "/")
	p.do(t, chromedp.SendKeys(chromedp.CSS("#find"), "pa"))
	p.settle(t)
	if names := p.zones(t); !slices.Equal(names, []string{"path"}) {
		t.Fatalf("found %q", names)
	}
	p.drag(t, "#zones tbody tr .canvas", 0.5, 1)
	if got := p.text(t, "#scope"); !regexp.MustCompile(`^1 frame in view with (19|20)\.\d ms or more in path$`).MatchString(got) {
		t.Errorf("brushed: %q", got)
	}
	if list := eval[[]string](t, p, `[...document.querySelectorAll("#worst button")].map((e) => e.ariaLabel)`); len(list) != 1 || !strings.HasPrefix(list[0], "frame 401, 50.") {
		t.Errorf("frames in the tail: %q", list)
	}
	p.click(t, "#clear")
	if got := p.text(t, "#scope"); strings.Contains(got, "path") {
		t.Errorf("cleared: %q", got)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#zones tbody tr .canvas")))
	p.press(t, kb.Enter) // with the keyboard: above the 99th percentile
	if got := p.text(t, "#scope"); !strings.Contains(got, "or more in path") {
		t.Errorf("by key: %q", got)
	}
	p.quiet(t)
}

func TestTablesFollowARangeAndABand(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.drag(t, "#strip", 0.8, 0.9)
	got := p.text(t, "#scope")
	var n int
	var seconds float64
	if _, err := fmt.Sscanf(got, "%d frames in %f s", &n, &seconds); err != nil || n < 55 || n > 65 || seconds < 0.95 || seconds > 1.05 {
		t.Errorf("a tenth of ten seconds: %q", got)
	}
	if most := eval[string](t, p, `document.querySelector("#zones tbody tr:nth-child(2) td:nth-child(7)").textContent`); strings.HasPrefix(most, "4") {
		t.Errorf("the spike, which is not in the range, is in the table: %q", most)
	}
	if name := p.text(t, "#flame-name"); name != fmt.Sprintf("Mean of %d frames", n) {
		t.Errorf("the tree is %q of %d", name, n)
	}
	p.press(t, kb.Escape)
	p.do(t, chromedp.SendKeys(chromedp.CSS("#least"), "20"))
	p.settle(t)
	if got := p.text(t, "#scope"); got != "1 frame in view of 20 to ∞ ms" {
		t.Errorf("longer than 20 ms: %q", got)
	}
	p.do(t, chromedp.SendKeys(chromedp.CSS("#most"), "50"))
	p.settle(t)
	if got := p.text(t, "#scope"); got != "0 frames in view of 20 to 50 ms" {
		t.Errorf("20 to 50 ms: %q", got)
	}
	p.quiet(t)
}

func TestEarlierFramesAreReachedWhileOthersCome(t *testing.T) {
	s := perform(t, "", "back")
	s.frames(3000, map[string]any{"backlog": true})
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	first := func() int {
		t.Helper()
		p.do(t, chromedp.Focus(chromedp.CSS("#strip")))
		p.press(t, kb.ArrowLeft)
		var n int
		if _, err := fmt.Sscanf(p.text(t, "#flame-name"), "Frame %d", &n); err != nil {
			t.Error(err)
		}
		p.press(t, kb.Escape)
		return n
	}
	if n := first(); n != 3000 {
		t.Errorf("the latest frame is %d", n)
	}
	p.press(t, kb.PageUp)
	if n := first(); n < 2650 || n > 2750 {
		t.Errorf("five seconds earlier it is %d", n)
	}
	s.frames(100, map[string]any{})
	p.press(t, kb.Home)
	if got := p.text(t, "#scope"); got != "600 frames in view" && got != "601 frames in view" {
		t.Errorf("the oldest: %q", got)
	}
	if n := first(); n < 595 || n > 605 {
		t.Errorf("ten seconds from the oldest it is %d", n)
	}
	p.drag(t, "#overview", 0.4, 0.5)
	if n := first(); n < 1750 || n > 1950 { // the window extends five seconds further
		t.Errorf("in the middle it is %d", n)
	}
	p.press(t, "+", "+")
	if got := p.text(t, "#scope"); !regexp.MustCompile(`^15\d frames in view$`).MatchString(got) {
		t.Errorf("zoomed in: %q", got)
	}
	n := 0
	if !eventually(func() bool { // the last frames may not have arrived yet
		p.press(t, "0", kb.End)
		n = first()
		return n == 3100
	}) {
		t.Errorf("back at the latest it is %d", n)
	}
	p.quiet(t)
}

func TestTwoBookmarksCompare(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.press(t, " ", "a") // the mean of all in view
	p.press(t, "w", "b")
	p.press(t, kb.Escape) // clears the frame, not the bookmarks
	if got := p.text(t, "#compare strong"); !regexp.MustCompile(`^update/ai/path took 41\.2 ms, 40\.\d ms more than in the mean of \d+ frames \(A\)\.$`).MatchString(got) {
		t.Errorf("B against A: %q", got)
	}
	p.press(t, kb.Escape)
	if eval[bool](t, p, `!document.getElementById("compare").hidden`) {
		t.Error("Escape leaves the bookmarks though nothing else is chosen")
	}
	p.quiet(t)
}

// With bookmark A, every selection is compared with it: the frame of B as soon as it is set, a range, a brush.
func TestWhatIsChosenIsComparedWithBookmarkA(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	says := func(when, heading, sentence string) {
		t.Helper()
		if got := p.text(t, "#flame-name"); !regexp.MustCompile(heading).MatchString(got) {
			t.Errorf("%s, the tree is that of %q", when, got)
		}
		if got := p.text(t, "#compare strong"); !regexp.MustCompile(sentence).MatchString(got) {
			t.Errorf("%s, the page says %q", when, got)
		}
	}
	p.press(t, "a", "w")
	says("with A", `^Frame 401$`, `^update/ai/path took 41\.2 ms, 40\.\d ms more than in the mean of \d+ frames \(A\)\.$`)
	p.press(t, "b")
	says("with A and B", `^Frame 401 \(B\)$`, `^update/ai/path took 41\.2 ms, 40\.\d ms more than in the mean of \d+ frames \(A\)\.$`)
	p.drag(t, "#strip", 0.8, 0.9)
	says("with a range", `^The mean of \d\d frames$`, `^No zone differs from the mean of \d+ frames \(A\) by more than`)
	p.press(t, kb.Escape)
	says("without the range", `^Frame 401 \(B\)$`, `^update/ai/path took 41\.2 ms`)
	p.drag(t, `#zones tbody tr:nth-child(4) .canvas`, 0.5, 1) // a row that would move while the brush selects no frame
	if got := p.text(t, "#scope"); !strings.HasPrefix(got, "1 frame in view with ") {
		t.Fatalf("brushed: %q", got)
	}
	says("with a brush", `^The mean of 1 frame$`, `^update/ai/path took 41\.2 ms, 40\.\d ms more than in the mean of \d+ frames \(A\)\.$`)
	p.press(t, kb.Escape, "w", kb.ArrowRight)
	says("with another frame", `^Frame 402$`, `^No zone differs from the mean of \d+ frames \(A\) by more than`)
	p.press(t, kb.Escape, kb.Escape)
	if !eval[bool](t, p, `document.getElementById("compare").hidden`) {
		t.Error("the comparison stays")
	}
	p.quiet(t)
}

func TestKeysReachEverything(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	p.press(t, "w")
	if got := p.text(t, "#compare strong"); got != cause {
		t.Errorf("W: %q", got)
	}
	p.press(t, "/")
	p.do(t, chromedp.KeyEvent("mix"), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Escape))
	p.settle(t)
	if on := eval[[]string](t, p, `[...document.querySelectorAll("#zones tr.on th")].map((e) => e.textContent)`); !slices.Equal(on, []string{"mix"}) {
		t.Errorf("found by key: %q", on)
	}
	if n := len(p.zones(t)); n != 7 {
		t.Errorf("%d zones after Escape in the search", n)
	}
	p.press(t, "l")
	if names := p.zones(t); !slices.Contains(names, "audio: mix") {
		t.Errorf("lanes apart: %q", names)
	}
	p.do(t, chromedp.Focus(chromedp.CSS("#flame")))
	p.press(t, kb.ArrowDown, kb.ArrowRight, kb.ArrowDown, kb.ArrowDown)
	if got := p.text(t, "#flame-read"); !strings.HasPrefix(got, "main: update/ai/path: 41.2 ms · self 41.2 ms · 12 calls") || !strings.HasSuffix(got, "300 µs in the median frame") {
		t.Errorf("by keys through the tree: %q", got)
	}
	p.press(t, "?")
	if !eval[bool](t, p, `document.getElementById("help").open`) {
		t.Error("no help")
	}
	p.press(t, kb.Escape)
	seen := map[string]bool{}
	eval[chromedp.Void](t, p, `document.activeElement.blur()`)
	for range 100 {
		p.do(t, chromedp.KeyEvent(kb.Tab))
		at := eval[struct{ ID, Name, Outline string }](t, p, `(() => { const e = document.activeElement, s = getComputedStyle(e); return { id: e.id, name: e.tagName, outline: s.outlineStyle + s.outlineWidth }; })()`)
		if at.Name != "BODY" && !strings.HasPrefix(at.Outline, "solid") && !strings.HasPrefix(at.Outline, "auto") {
			t.Errorf("%s %s has focus and does not show it: %s", at.Name, at.ID, at.Outline)
		}
		seen[at.ID] = true
	}
	for _, id := range []string{"freeze", "slow", "limit", "strip", "flame", "find", "apart", "mark-a"} {
		if !seen[id] {
			t.Errorf("Tab does not reach %s", id)
		}
	}
	if silent := eval[[]string](t, p, `[...document.querySelectorAll("button, input, select, a, [tabindex]")].filter((e) => !(e.ariaLabel || e.textContent.trim() || e.closest("label")?.textContent.trim())).map((e) => e.outerHTML)`); len(silent) > 0 {
		t.Errorf("nothing for a screen reader to say: %q", silent)
	}
	p.quiet(t)
}

func TestCommandsReachTheProgram(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	eval[chromedp.Void](t, p, `(() => { const s = [...document.querySelectorAll("#zones tbody tr")].find((r) => r.cells[0].textContent === "path").querySelector("select"); s.value = "64"; s.dispatchEvent(new Event("change")); })()`)
	eventually(func() bool { return s.lastCommand() != "" })
	if got := s.lastCommand(); got != `{"zone":3,"every":64}` {
		t.Errorf("command %q", got)
	}
	p.do(t, chromedp.Click(chromedp.CSS(".menu:nth-of-type(2) summary")), chromedp.Click(chromedp.CSS("#enabled")))
	p.until(t, `document.getElementById("notes").textContent.includes("Refused: it is always on")`)
	p.click(t, "#record")
	p.until(t, `document.getElementById("notes").textContent.includes("Nothing is recorded")`)
	if got := s.lastCommand(); got != `{"record_bytes":0}` {
		t.Errorf("command %q", got)
	}
	p.click(t, "#reset")
	p.until(t, `document.getElementById("scope").textContent === "0 frames in view" && !document.querySelector("#worst button")`)
	s.frames(20, map[string]any{})
	p.until(t, `document.getElementById("scope").textContent === "20 frames in view" && document.querySelectorAll("#zones tbody tr").length === 7`)
	p.mu.Lock()
	p.complaint = slices.DeleteFunc(p.complaint, func(c string) bool { return strings.Contains(c, "status of 400") })
	p.mu.Unlock()
	p.quiet(t)
}

func TestAnotherLoopHasOtherFrames(t *testing.T) {
	s := perform(t, "", "loops")
	hello := maps.Clone(s.hello)
	s.hello["slice_ns"], s.hello["loop"], s.hello["loops"] = 100*ms, "", []string{}
	s.frames(50, map[string]any{})
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	s.number = 1
	hello["loops"] = []string{"frame", "census"}
	s.say("hello", hello) // strobe.Frame has been called; all earlier frames were slices
	s.frames(30, map[string]any{})
	p.until(t, `document.getElementById("scope").textContent === "30 frames in view"`)
	if names := p.zones(t); len(names) != 7 || !slices.Contains(names, "path") {
		t.Errorf("paths are told once in a connection: %q", names)
	}
	eval[chromedp.Void](t, p, `(() => { const e = document.getElementById("loop"); e.value = "loop=census"; e.dispatchEvent(new Event("change")); })()`)
	if !eventually(func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.loop == "census"
	}) {
		t.Error("the choice of a loop does not reach the program")
	}
	p.quiet(t)
}

func TestTheModulesComputeInABrowserToo(t *testing.T) {
	s := perform(t, "", "one")
	p := visit(t, fresh(t), s.URL+"/modules", s.URL, 800, 600, "light")
	failed, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`import(%q).then(async ({ tests }) => {
		const failed = [];
		for (const [name, run] of Object.entries(tests)) try { await run(); } catch (e) { failed.push(name + ": " + e.message); }
		return Object.keys(tests).length < 10 ? ["few tests"] : failed;
	})`, s.URL+"/testdata/modules.js"), chromedp.EvalAwaitPromise))
	if err != nil || len(failed) > 0 {
		t.Errorf("%v: %q", err, failed)
	}
	p.quiet(t)
}

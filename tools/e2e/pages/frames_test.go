// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is the name of a process that contains HTML and a script.
const hostile = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`

// spike is the length of the longest frame by far, in ms.
const spike = 87.125

// capture writes a capture in PresentMon's format, with one spike in the middle.
func capture(t *testing.T, dir, name, process string, frames int, mean float64) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msBetweenPresents\n")
	r := rand.New(rand.NewPCG(1, uint64(mean)))
	at := 0.0
	for i := range frames {
		x := math.Max(1, mean+r.NormFloat64())
		if i == frames/2 {
			x = spike
		}
		at += x / 1000
		fmt.Fprintf(&b, "\"%s\",42,0x1,DXGI,0,0,0,%.6f,%.4f\n", strings.ReplaceAll(process, `"`, `""`), at, x)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// report makes the command write a page.
func report(t *testing.T, files ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.html")
	cmd := exec.Command("go", append([]string{"run", "./cmd/strobe", "frames", "--html", out}, files...)...)
	cmd.Dir, cmd.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOWORK=auto")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func TestTheReportOfTwoCapturesWorksInABrowser(t *testing.T) {
	dir := t.TempDir()
	file := report(t, capture(t, dir, "a.csv", hostile, 3000, 16), capture(t, dir, "b.csv", "game.exe", 3000, 12))
	chrome := fresh(t)
	for _, size := range [][2]int64{{1280, 900}, {390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d wide, %s", size[0], scheme), func(t *testing.T) {
				p := open(t, chrome, file, size[0], size[1], scheme)
				plotsShow(t, p, 2, size[0])
				if tail := strings.Split(p.text(t, "#spread-longer"), "\n"); len(tail) != 2 || !strings.HasSuffix(tail[0], " % of frames are longer than 19.2 ms, up to 87.13 ms") {
					t.Errorf("of the longest frames the histogram says %q", tail)
				}
				digitsFollowUncertainty(t, p, 10)
				coloursAreReadable(t, p, scheme == "dark")
				pointerAndKeysRead(t, p)
				legendHides(t, p)
				if title := eval[string](t, p, `document.title`); strings.Contains(title, "owned") && !strings.Contains(title, "<img") {
					t.Errorf("a process name runs: %q", title)
				}
				if n := eval[int](t, p, `document.querySelectorAll("img").length`); n != 0 {
					t.Errorf("%d images", n)
				}
				if !eval[bool](t, p, `document.querySelector(".card h3").textContent.includes("<img src=x")`) {
					t.Error("the name of the process is not shown as it is")
				}
				p.quiet(t)
			})
		}
	}
	t.Run("on paper", func(t *testing.T) {
		p := open(t, chrome, file, 800, 1100, "dark")
		p.medium(t, "print", "dark")
		if c := eval[string](t, p, `getComputedStyle(document.body).backgroundColor`); c != "rgb(255, 255, 255)" {
			t.Errorf("the paper is %s", c)
		}
		if d := eval[string](t, p, `getComputedStyle(document.getElementById("reset")).display`); d != "none" {
			t.Error("buttons are printed")
		}
		p.quiet(t)
	})
}

// plotsShow checks that the plots have content and lie within the page.
func plotsShow(t *testing.T, p *page, captures int, width int64) {
	t.Helper()
	for _, id := range []string{"time", "spread", "percentiles"} {
		type box struct{ X, Y, Width, Height float64 }
		paths := eval[[]struct {
			D   string
			Box box
		}](t, p, fmt.Sprintf(`[...document.querySelectorAll("#%s path.data")].map((e) => ({ d: e.getAttribute("d"), box: e.getBoundingClientRect().toJSON() }))`, id))
		if len(paths) != captures {
			t.Errorf("%s: %d lines for %d captures", id, len(paths), captures)
		}
		for _, path := range paths {
			if len(path.D) < 400 || strings.Contains(path.D, "NaN") || strings.Contains(path.D, "Infinity") {
				t.Errorf("%s: a line of %d characters: %.60s", id, len(path.D), path.D)
			}
			if b := path.Box; b.Width < 0.3*float64(width)/2 || b.Height < 20 || b.X < 0 || b.X+b.Width > float64(width) {
				t.Errorf("%s: a line at %+v", id, b)
			}
		}
		if n := eval[int](t, p, fmt.Sprintf(`document.querySelectorAll("#%s text").length`, id)); n < 6 {
			t.Errorf("%s: %d labels", id, n)
		}
	}
	if n := eval[int](t, p, `document.querySelectorAll("#changes .interval").length`); n < 3 {
		t.Errorf("%d differences", n)
	}
	if wide := eval[[]string](t, p, `[...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll table") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.tagName + " " + (e.id || e.className))`); len(wide) > 0 {
		t.Errorf("wider than the page: %q", wide)
	}
	if over := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("the page is %d pixels too wide", over)
	}
}

// coloursAreReadable checks that text has a contrast of 4.5 and lines of 3, as WCAG 2 requires.
func coloursAreReadable(t *testing.T, p *page, dark bool) {
	t.Helper()
	type pair struct {
		What        string
		Front, Back []float64
	}
	pairs := eval[[]pair](t, p, `(() => {
		const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
		const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== "rgba(0, 0, 0, 0)" && c !== "transparent") return rgb(c); } return [255, 255, 255]; };
		const out = [];
		for (const e of document.querySelectorAll("h1, p, dt, dd, td, th, small, output, button, figcaption h2")) out.push({ what: e.tagName, front: rgb(getComputedStyle(e).color), back: back(e) });
		for (const e of document.querySelectorAll("svg text")) out.push({ what: "text of plot", front: rgb(getComputedStyle(e).fill), back: back(e) });
		for (const e of document.querySelectorAll("path.data, .interval")) out.push({ what: "line", front: rgb(getComputedStyle(e).stroke), back: back(e) });
		return out;
	})()`)
	if len(pairs) < 50 {
		t.Errorf("%d colours", len(pairs))
	}
	seen := map[string]bool{}
	for _, c := range pairs {
		least := 4.5
		if c.What == "line" {
			least = 3
		}
		if r := contrast(c.Front, c.Back); r < least && !seen[c.What] {
			seen[c.What] = true
			t.Errorf("%s has a contrast of %.1f", c.What, r)
		}
	}
	back := eval[pair](t, p, `({ what: "page", front: getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number), back: [0, 0, 0] })`)
	if bright := luminance(back.Front) > 0.5; bright == dark {
		t.Errorf("the page is %v", back.Front)
	}
}

func contrast(a, b []float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(rgb []float64) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := rgb[i] / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// pointerAndKeysRead checks that the plots show the values under the pointer, and those that keys select.
func pointerAndKeysRead(t *testing.T, p *page) {
	t.Helper()
	type point struct{ X, Y float64 }
	peak := eval[point](t, p, `(() => {
		document.getElementById("time").scrollIntoView({ block: "center" });
		const path = document.querySelector("#time path.data"), box = path.getBoundingClientRect();
		const at = path.getAttribute("d").slice(1).split("L").map((s) => s.split(",").map(Number)).reduce((a, b) => (b[1] < a[1] ? b : a));
		const svg = path.ownerSVGElement, m = svg.getScreenCTM();
		return { x: at[0] * m.a + m.e, y: at[1] * m.d + m.f };
	})()`)
	p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, peak.X, peak.Y+30))
	if text := eval[string](t, p, `document.getElementById("time-read").textContent`); !strings.Contains(text, "87.125 ms") || !strings.Contains(text, "11.48 fps") || !strings.Contains(text, "frame 1501 of 3000") {
		t.Errorf("over the spike the read-out says %q", text)
	}
	if n := eval[int](t, p, `document.querySelectorAll("#time .cursor").length`); n != 1 {
		t.Errorf("%d cursors", n)
	}
	for _, id := range []string{"spread", "percentiles"} {
		at := eval[point](t, p, fmt.Sprintf(`(() => {
			const e = document.getElementById("%s");
			e.scrollIntoView({ block: "center" });
			const b = e.getBoundingClientRect();
			return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
		})()`, id))
		p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
		if text := eval[string](t, p, fmt.Sprintf(`document.getElementById("%s-read").textContent`, id)); !strings.Contains(text, "game.exe (42): ") || !strings.Contains(text, "% of frames") {
			t.Errorf("%s: the read-out says %q", id, text)
		}
	}
	p.do(t, chromedp.Focus("#time"), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowRight))
	if text := eval[string](t, p, `document.getElementById("time-read").textContent`); !strings.Contains(text, "frame 2 of 3000") {
		t.Errorf("the second frame reads %q", text)
	}
	before := eval[string](t, p, `document.querySelector("#time path.data").getAttribute("d")`)
	p.do(t, chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	zoomed := eval[string](t, p, `document.querySelector("#time path.data").getAttribute("d")`)
	p.do(t, chromedp.KeyEvent("0"))
	after := eval[string](t, p, `document.querySelector("#time path.data").getAttribute("d")`)
	if zoomed == before || after != before {
		t.Error("plus does not zoom, or 0 does not lead back")
	}
	p.do(t, chromedp.Focus("#spread"), chromedp.KeyEvent(kb.End))
	if text := eval[string](t, p, `document.getElementById("spread-read").textContent`); !strings.Contains(text, "and longer") {
		t.Errorf("the last bin reads %q", text)
	}
}

// legendHides hides the first capture, then the second, and shows both again.
func legendHides(t *testing.T, p *page) {
	t.Helper()
	for i, want := range []int{1, 0, 1, 2} {
		eval[chromedp.Void](t, p, fmt.Sprintf(`document.querySelector("#legend button:nth-child(%d)").click()`, 1+i%2))
		if n := eval[int](t, p, `document.querySelectorAll("#time path.data").length`); n != want {
			t.Errorf("%d lines after click %d on the legend, want %d", n, i+1, want)
		}
	}
}

// Of a hundred thousand frames no more points are drawn than there are pixels, and no spike is lost.
func TestALongCaptureDrawsNoMoreThanPixels(t *testing.T) {
	file := report(t, capture(t, t.TempDir(), "long.csv", "game.exe", 100_000, 8))
	p := open(t, fresh(t), file, 1280, 900, "light")
	points := eval[[]float64](t, p, `document.querySelector("#time path.data").getAttribute("d").slice(1).split("L").map((s) => Number(s.split(",")[1]))`)
	if len(points) < 1000 || len(points) > 4*1280 {
		t.Errorf("%d points", len(points))
	}
	highest := math.Inf(1)
	for _, y := range points {
		highest = min(highest, y)
	}
	if highest > 40 { // the plot is 340 pixels high and must contain the spike
		t.Errorf("the spike ends %v below the top", highest)
	}
	p.do(t, chromedp.Focus("#time"), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Home))
	seen := false
	for range 600 { // the key stops at every frame beyond P99
		p.do(t, chromedp.KeyEvent(kb.PageDown))
		if seen = strings.Contains(eval[string](t, p, `document.getElementById("time-read").textContent`), "87.125 ms"); seen {
			break
		}
	}
	if !seen {
		t.Error("the keys do not lead to the spike")
	}
	p.quiet(t)
}

// A page of a million frames has at most 3 MB, and draws no more points than there are pixels at any zoom.
func TestAMillionFramesAreDrawnAsPixels(t *testing.T) {
	file := report(t, capture(t, t.TempDir(), "million.csv", "game.exe", 1_000_000, 8))
	if info, err := os.Stat(file); err != nil || info.Size() > 3_000_000 {
		t.Fatalf("the page has %d bytes, %v", info.Size(), err)
	}
	p := open(t, fresh(t), file, 1280, 900, "light")
	p.do(t, chromedp.Focus("#time"))
	fewest := math.MaxInt
	for near := range 16 {
		points := eval[int](t, p, `document.querySelector("#time path.data").getAttribute("d").split("L").length`)
		if points > 4*1280 || near == 0 && points < 1000 {
			t.Errorf("%d points after %d times plus", points, near)
		}
		fewest = min(fewest, points)
		p.do(t, chromedp.KeyEvent("+"))
	}
	if fewest > 200 {
		t.Errorf("never fewer than %d points: plus does not zoom", fewest)
	}
	p.quiet(t)
}

// withGPU writes a run that has more columns than the frame times.
func withGPU(t *testing.T, dir, name string, mean float64) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("Application,ProcessID,SwapChainAddress,PresentRuntime,FrameType,MsBetweenPresents,MsBetweenDisplayChange,MsGPUBusy,MsUntilDisplayed\n")
	r := rand.New(rand.NewPCG(2, uint64(1000*mean)))
	for range 800 {
		x := mean + 0.3*r.NormFloat64()
		fmt.Fprintf(&b, "game.exe,42,0x1,DXGI,Application,%.4f,%.4f,%.4f,%.4f\n", x, x, 0.9*x, 2*x)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestGroupsHaveBarsAndColumnsBesideFrameTimes(t *testing.T) {
	dir := t.TempDir()
	file := report(t, "--group", "old", withGPU(t, dir, "a.csv", 16), withGPU(t, dir, "b.csv", 16.1), "--group", "new", withGPU(t, dir, "c.csv", 12), withGPU(t, dir, "d.csv", 12.1))
	chrome := fresh(t)
	for _, width := range []int64{1280, 390} {
		p := open(t, chrome, file, width, 900, "light")
		if n := eval[int](t, p, `document.querySelectorAll("#bars .block").length`); n != 6 {
			t.Errorf("%d bars for two groups", n)
		}
		if n := eval[int](t, p, `document.querySelectorAll("#bars .whisker").length`); n < 6 {
			t.Errorf("%d intervals", n)
		}
		if n := eval[int](t, p, `document.querySelectorAll("#time path.data").length`); n != 4 {
			t.Errorf("%d lines for four runs", n)
		}
		before := eval[string](t, p, `document.querySelector("#time path.data").getAttribute("d")`)
		eval[chromedp.Void](t, p, `document.querySelector("#channels button:nth-child(2)").click()`)
		if title := eval[string](t, p, `document.getElementById("time-title").textContent`); title != "GPU busy" || eval[string](t, p, `document.querySelector("#time path.data").getAttribute("d")`) == before {
			t.Errorf("the plot stays as it is, with the title %q", title)
		}
		eval[chromedp.Void](t, p, `document.querySelector("#legend button").click()`)
		if bars, lines := eval[int](t, p, `document.querySelectorAll("#bars .block").length`), eval[int](t, p, `document.querySelectorAll("#time path.data").length`); bars != 3 || lines != 2 {
			t.Errorf("%d bars and %d lines without a group", bars, lines)
		}
		if over := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("the page is %d pixels too wide", over)
		}
		p.quiet(t)
	}
}

// The page has all figures even without scripts.
func TestTheReportIsReadableWithoutScripts(t *testing.T) {
	dir := t.TempDir()
	file := report(t, capture(t, dir, "a.csv", "a.exe", 500, 16), capture(t, dir, "b.csv", "b.exe", 500, 12))
	chrome := fresh(t)
	ctx, cancel := chromedp.NewContext(chrome)
	defer cancel()
	p := &page{ctx: ctx}
	command(t, p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do(t, chromedp.Navigate("file://"+filepath.ToSlash(file)), chromedp.WaitReady("body"))
	text, err := chromedp.Run(p.ctx, chromedp.TextContent("body"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 % low average", "a.exe", "b.exe", "b.exe (42) less a.exe (42)", "fps", "The plots need JavaScript"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

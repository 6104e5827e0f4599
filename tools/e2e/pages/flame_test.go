// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This tests the page of strobe gate --profile, which the test of its package writes.
func TestTheFlameGraphOfADifferenceWorksInABrowser(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.html")
	cmd := exec.Command("go", "test", "-count=1", "./cmd/strobe/internal/verb/gate/flame")
	cmd.Dir, cmd.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOWORK=auto", "STROBE_FLAME="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	chrome := fresh(t)
	for _, c := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		t.Run(fmt.Sprintf("%d wide, %s", c.width, c.scheme), func(t *testing.T) {
			p := open(t, chrome, out, c.width, 900, c.scheme)
			boxesAddUp(t, p)
			boxesAreReadable(t, p)
			p.do(t, chromedp.Focus("#flame"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
			if text := p.text(t, "#read"); text != "example.com/module/codec.checksum: 300 ns → 880 ns a call · +580 ns [+500, +660] · 30 % of the base, 58.7 % of new" {
				t.Errorf("the function reads %q", text)
			}
			p.do(t, chromedp.KeyEvent(kb.ArrowRight))
			if text := p.text(t, "#read"); !strings.Contains(text, "codec.header") || !strings.Contains(text, "−210 ns [−270, −150]") {
				t.Errorf("its neighbour reads %q", text)
			}
			p.do(t, chromedp.KeyEvent(kb.Enter))
			if n := eval[int](t, p, `document.querySelectorAll("#flame g").length`); n != 4 {
				t.Errorf("%d boxes of a function and those above it", n)
			}
			p.do(t, chromedp.KeyEvent(kb.Escape))
			eval[chromedp.Void](t, p, `document.querySelector("#width button:nth-child(2)").click()`)
			if n := eval[int](t, p, `[...document.querySelectorAll("#flame g.other")].length`); n != 0 || !strings.Contains(eval[string](t, p, `document.querySelector("#flame text").textContent`), "1 µs a call") {
				t.Errorf("%d boxes do not match, %q", n, p.text(t, "#flame"))
			}
			p.do(t, chromedp.Focus("#search"), chromedp.KeyEvent("CODEC.C"))
			if text := p.text(t, "#found"); text != "1 box, together 300 ns → 880 ns a call" {
				t.Errorf("a search finds %q", text)
			}
			if all, out := eval[int](t, p, `document.querySelectorAll("#flame g").length`), eval[int](t, p, `document.querySelectorAll("#flame g.other").length`); out != all-1 {
				t.Errorf("%d of %d boxes do not match", out, all)
			}
			p.do(t, chromedp.KeyEvent("zzz"))
			if text := p.text(t, "#found"); text != "no function has this in its name" {
				t.Errorf("a search finds %q", text)
			}
			if over := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the page is %d pixels too wide", over)
			}
			if title := eval[string](t, p, `document.title`); title != "What made codec.Decode slower" || eval[int](t, p, `document.querySelectorAll("img").length`) != 0 {
				t.Errorf("the name of a function runs: %q", title)
			}
			p.quiet(t)
		})
	}
}

// boxesAddUp checks that the width of each box is its cost, and that it lies below its caller.
func boxesAddUp(t *testing.T, p *page) {
	t.Helper()
	type box struct {
		X, Y, Width float64
		Look        string
	}
	boxes := eval[[]box](t, p, `[...document.querySelectorAll("#flame g rect:first-child")].map((e) => ({ x: e.x.baseVal.value, y: e.y.baseVal.value, width: e.width.baseVal.value, look: e.getAttribute("class") }))`)
	if len(boxes) != 10 { // all that cost something on the new side
		t.Fatalf("%d boxes", len(boxes))
	}
	whole := boxes[0].Width
	looks := map[string]int{}
	for _, b := range boxes {
		looks[b.Look]++
		if b.X < 0 || b.X+b.Width > whole+1 {
			t.Errorf("a box at %+v", b)
		}
	}
	if looks["more"] != 6 || looks["less"] != 1 || looks["even"] != 3 {
		t.Errorf("%v", looks)
	}
	if crc := boxes[4]; crc.Y != 4*21 || crc.Width/whole < 0.55 || crc.Width/whole > 0.58 {
		t.Errorf("%+v of %v", crc, whole)
	}
}

// boxesAreReadable checks that the names in the boxes have a contrast of 4.5 with the background.
func boxesAreReadable(t *testing.T, p *page) {
	t.Helper()
	type pair struct {
		Name              string
		Text, Box, Behind []float64
		Opacity           float64
	}
	pairs := eval[[]pair](t, p, `(() => {
		const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number), panel = rgb(getComputedStyle(document.querySelector("figure")).backgroundColor);
		return [...document.querySelectorAll("#flame text")].map((e) => {
			const look = getComputedStyle(e.parentElement.querySelector("rect"));
			return { name: e.textContent, text: rgb(getComputedStyle(e).fill), box: rgb(look.fill), behind: panel, opacity: Number(look.fillOpacity) };
		});
	})()`)
	if len(pairs) < 4 {
		t.Errorf("%d names", len(pairs))
	}
	for _, c := range pairs {
		mixed := make([]float64, 3)
		for i := range mixed {
			mixed[i] = c.Opacity*c.Box[i] + (1-c.Opacity)*c.Behind[i]
		}
		if r := contrast(c.Text, mixed); r < 4.5 {
			t.Errorf("%s has a contrast of %.1f", c.Name, r)
		}
	}
}

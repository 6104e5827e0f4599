// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// spread opens the page of a program with a zone for each power of ten from 10 ns to 10 s, entered in every frame, and one that
// is entered only in a single frame.
func spread(t *testing.T, chrome context.Context, width int64) *page {
	t.Helper()
	s := perform(t, "", "spread")
	zones := slices.Clone(scriptZones)
	var paths [][]int
	for i := range 20 {
		paths = append(paths, []int{10 + i, 0, -1, len(zones)})
		zones = append(zones, map[string]any{"name": fmt.Sprintf("a zone of a program, number %d", i), "every": 1})
	}
	s.hello["zones"] = zones
	s.frames(0, map[string]any{"paths": paths})
	for n := range 44 {
		f := s.frame(1 * ms)
		f[2], s.at = 10_000_000_000, f[1]+10_000_000_000
		for i, took := 0, 10; i < 10; i, took = i+1, 10*took {
			f = append(f, 10+i, 1+n*n*n, min(took, f[2])*9/10)
			if n == 7 {
				f = append(f, 20+i, 1, min(took, f[2])*9/10)
			}
		}
		s.pass([][]int{f}, map[string]any{})
	}
	p := watch(t, chrome, s.URL, width, 900, "light")
	p.press(t, "-", "-", "-", "-", "-", "-")
	p.until(t, `document.getElementById("scope").textContent === "44 frames in view"`)
	return p
}

func TestCellsOfTablesDoNotOverlap(t *testing.T) {
	chrome := fresh(t)
	for _, width := range []int64{390, 1024, 1280, 1920} {
		t.Run(fmt.Sprint(width, " wide"), func(t *testing.T) {
			p := spread(t, chrome, width)
			p.click(t, "#worst button")
			// Texts are measured, not cells: a text that is too long for its cell would extend over the next one.
			over := eval[[]string](t, p, `[...document.querySelectorAll("#zones tr, #differences tr")].flatMap((row) => {
				const boxes = [...row.cells].filter((c) => c.offsetParent && c.textContent).map((c) => {
					const r = document.createRange(), clip = c.querySelector("button, select") || c;
					r.selectNodeContents(c);
					const b = r.getBoundingClientRect(), own = clip.getBoundingClientRect(), cut = getComputedStyle(clip).overflowX !== "visible" || clip.tagName === "SELECT";
					return { text: c.textContent, left: cut ? own.left : b.left, right: cut ? own.right : b.right };
				});
				return boxes.slice(1).filter((b, i) => b.left < boxes[i].right + 2).map((b) => row.textContent + ": " + b.text);
			})`)
			for _, text := range over {
				t.Errorf("cells overlap: %s", text)
			}
			if n := eval[int](t, p, `document.querySelectorAll("#zones tbody tr").length`); n != 27 {
				t.Errorf("%d zones", n)
			}
			if wide := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("the page is %d pixels too wide", wide)
			}
			if cut := eval[int](t, p, `(() => { const e = document.querySelector(".scroll"); return e.scrollWidth - e.clientWidth; })()`); cut > 0 {
				t.Errorf("%d pixels of the table are out of sight", cut)
			}
			if name := eval[float64](t, p, `Math.min(...[...document.querySelectorAll("#zones tbody th")].map((e) => e.clientWidth))`); name < 80 {
				t.Errorf("%v pixels are left for names", name)
			}
			p.quiet(t)
		})
	}
}

// Every control and every column has an explanation, for a pointer and for a screen reader.
func TestEveryControlAndColumnExplainsItself(t *testing.T) {
	_, p := stutter(t, fresh(t), 1920, 1000, "light")
	p.press(t, "w", "a")
	for _, id := range []string{"loop", "lane", "lanes", "apart", "clear"} {
		eval[bool](t, p, fmt.Sprintf(`document.getElementById(%q).hidden = false; true`, id))
	}
	eval[bool](t, p, `document.querySelectorAll("details").forEach((e) => { e.open = true; }); true`)
	if mute := eval[[]string](t, p, `[...document.querySelectorAll("header :is(button, input, select, summary, a), main :is(button, input, select, summary, a), thead th > *")].filter((e) => !e.title).map((e) => e.outerHTML.slice(0, 120))`); len(mute) > 0 {
		t.Errorf("no title: %q", mute)
	}
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	operated, n := []string{"button", "checkbox", "textbox", "searchbox", "combobox", "link", "DisclosureTriangle"}, 0
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil || !slices.Contains(operated, fmt.Sprint(axValue(node.Role))) {
			continue
		}
		n++
		if name, about := axValue(node.Name), axValue(node.Description); name == "" || about == "" {
			t.Errorf("a %s named %q has the description %q", axValue(node.Role), name, about)
		}
	}
	if n < 50 {
		t.Errorf("%d controls", n)
	}
	p.quiet(t)
}

func axValue(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var text string
	if err := json.Unmarshal(v.Value, &text); err != nil {
		return ""
	}
	return text
}

// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestThousandsOfLanesAreSummedUpAndFoundBySearch(t *testing.T) {
	s := perform(t, "", "many")
	for i := range 3000 {
		s.lanes = append(s.lanes, map[string]any{"id": i, "name": fmt.Sprintf("connection %d", i), "zones": []map[string]any{{"zone": 3, "calls": i, "self_ns": i * ms}}})
	}
	s.frames(0, map[string]any{"lanes": [][]any{{-1, "all"}}, "paths": [][]int{{7, -1, -1, 3}}})
	f := s.frame(1 * ms)
	s.pass([][]int{append(f[:3:3], 7, 3000, 12*ms)}, map[string]any{})
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	if names := p.zones(t); !slices.Equal(names, []string{"path"}) {
		t.Errorf("summed up: %q", names)
	}
	p.click(t, "#lanes summary")
	p.do(t, chromedp.SendKeys(chromedp.CSS("#lane-find"), "TION 299"))
	p.until(t, `document.querySelector("#lane-table tr")?.textContent === "connection 2999path 3.00 s in 2999 calls"`)
	if n := eval[int](t, p, `document.querySelectorAll("#lane-table tr").length`); n != 11 {
		t.Errorf("%d lanes have 299 after the space", n)
	}
	p.click(t, "#lane-table button")
	eventually(func() bool { return s.lastCommand() != "" })
	if got := s.lastCommand(); got != `{"lane":2999}` {
		t.Errorf("command %q", got)
	}
	f = s.frame(1 * ms)
	s.pass([][]int{append(f[:3:3], 7, 2999, 11*ms, 8, 1, 2*ms)}, map[string]any{"paths": [][]int{{8, 2999, -1, 3}}})
	p.until(t, `document.getElementById("lane").value === "2999" && document.querySelector("#zones tbody td:nth-child(4)")?.textContent === "1.00 ms"`) // per frame, of two frames
	p.quiet(t)
}

func TestAProgramWithoutALoopIsShownInSlicesByItsBusyTime(t *testing.T) {
	s := perform(t, "", "sliced")
	s.hello["slice_ns"], s.hello["loop"], s.hello["loops"] = 100*ms, "", []string{}
	delete(s.hello, "lane")
	var list [][]int
	for range 100 {
		f := s.frame(1 * ms)
		f[2] = 100 * ms
		f = append(f[:3:3], 1, 1, 30*ms, 2, 1, 20*ms, 5, 1, 60*ms) // 60 ms of waiting
		if len(list) == 50 {
			f[5], f[8] = 90*ms, 80*ms
		}
		s.at = f[1] + 100*ms
		list = append(list, f)
	}
	s.pass(list, map[string]any{})
	p := watch(t, fresh(t), s.URL, 1280, 900, "dark")
	p.until(t, `document.getElementById("rate").textContent === "30.0 ms"`)
	if got := p.text(t, ".now"); !strings.Contains(got, "busy in 100 ms") || !strings.Contains(got, "p99") {
		t.Errorf("the numbers say %q", got)
	}
	p.click(t, "#worst button")
	if got := p.text(t, "#compare strong"); got != "update/ai took 80.0 ms, 60.0 ms more than in the median frame." {
		t.Errorf("of the busiest slice the page says %q", got)
	}
	p.quiet(t)
}

func TestHundredsOfZonesHaveATableThatIsSearched(t *testing.T) {
	s := perform(t, "", "wide")
	zones := slices.Clone(scriptZones)
	var paths [][]int
	for i := range 500 {
		paths = append(paths, []int{10 + i, 0, 1, len(zones)})
		zones = append(zones, map[string]any{"name": fmt.Sprintf("system %d", i), "every": 1})
	}
	s.hello["zones"] = zones
	s.frames(0, map[string]any{"paths": paths})
	for range 50 {
		f := s.frame(1 * ms)
		for i := range 500 {
			f = append(f, 10+i, 1, 1000+i)
		}
		s.pass([][]int{f}, map[string]any{})
	}
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	p.until(t, `document.querySelectorAll("#zones tbody tr").length === 200 && document.getElementById("more").textContent === "307 more zones; search for them"`)
	p.do(t, chromedp.SendKeys(chromedp.CSS("#find"), "system 49"))
	p.settle(t)
	if n := len(p.zones(t)); n != 11 {
		t.Errorf("%d zones have this name", n)
	}
	p.quiet(t)
}

// With more frames than the page keeps, neither its memory nor the number of drawn points grows.
func TestTheLatestFramesAreKeptInMemoryThatDoesNotGrow(t *testing.T) {
	s := perform(t, "", "long")
	s.slow(41_200_000)
	for range 125 {
		s.frames(200, map[string]any{"backlog": true})
	}
	p := watch(t, fresh(t), s.URL, 1280, 900, "light")
	p.press(t, "w") // the very first frame, no longer in the ring
	if got := p.text(t, "#compare strong"); got != cause {
		t.Errorf("the page says %q", got)
	}
	if got := p.text(t, "#scope"); got != "the frames around this one are no longer kept" {
		t.Errorf("around it: %q", got)
	}
	p.press(t, kb.End, "-", "-", "-", "-", "-", "-") // all frames that are kept
	if got := p.text(t, "#scope"); got != "20000 frames in view" {
		t.Errorf("zoomed out: %q", got)
	}
	heap := func() float64 {
		t.Helper()
		command(t, p, heapprofiler.CollectGarbage, cdp.Empty{})
		use, err := chromedp.Call(p.ctx, runtime.GetHeapUsage, cdp.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		return use.UsedSize + use.BackingStorageSize
	}
	before := heap()
	for range 125 {
		s.frames(200, map[string]any{"runtime": []any{1, 2, 3, 4, 5}, "plots": [][]any{{"entities", s.at, 1}}, "messages": [][]any{{s.at, 0, "text"}}})
	}
	s.slow(80 * ms)
	p.until(t, fmt.Sprintf(`document.querySelector("#worst button").ariaLabel.startsWith("frame %d,")`, s.number-1))
	if after := heap(); after > 1.1*before+2e6 {
		t.Errorf("%.1f MB became %.1f MB with 25000 more frames", before/1e6, after/1e6)
	} else {
		t.Logf("%.1f MB, and %.1f MB after 25000 more frames", before/1e6, after/1e6)
	}
	p.press(t, " ")
	frozen := p.text(t, "#scope")
	for range 125 {
		s.frames(200, map[string]any{})
	}
	p.until(t, `document.getElementById("status").textContent.endsWith("frozen, memory full")`) // frames that are shown are not discarded
	if got := p.text(t, "#scope"); got != frozen || got == "0 frames in view" {
		t.Errorf("frozen: %q became %q", frozen, got)
	}
	p.press(t, " ")
	s.frames(100, map[string]any{})
	p.until(t, `document.getElementById("scope").textContent !== "0 frames in view" && !document.getElementById("status").textContent.includes("frozen")`)
	p.quiet(t)
}

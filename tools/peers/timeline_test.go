// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/tools/browser"
)

// BenchmarkTimeline measures how often a browser draws the spans of a frame.
func BenchmarkTimeline(b *testing.B) { runRows(b, timelineRows()) }

// timelineRows zoom in and out between the whole frame and a part of it.
func timelineRows() []row {
	return []row{{"whole", timelineRow(1)}, {"tenth", timelineRow(0.1)}}
}

const (
	timelineLanes = 8
	timelineSpans = 10_000
)

// timelineRow shows a frame of ten thousand spans. The window moves with each picture.
func timelineRow(part float64) func(*testing.B) {
	return func(b *testing.B) {
		program, err := browser.Path()
		if err != nil {
			b.Skip(err)
		}
		once(b, func() map[string]float64 {
			page := live.New(live.Options{})
			defer page.Close()
			server := httptest.NewServer(http.StripPrefix("/strobe", page))
			defer server.CloseClientConnections()
			crowdedFrame()
			stop := shownLoop()
			defer stop()
			m, err := move(b, program, server.URL+"/strobe/", part)
			if err != nil {
				b.Fatal(err)
			}
			return m
		})
	}
}

// crowdedFrame makes one frame with many spans, up to four deep.
func crowdedFrame() {
	zones := manyZones10()
	strobe.Frame("shown")
	strobe.Frame("shown")
	var lanes []*strobe.Lane
	for i := range timelineLanes {
		lanes = append(lanes, strobe.NewLane(fmt.Sprint("crowded ", i)))
	}
	for range timelineSpans / timelineLanes / 5 {
		for _, l := range lanes {
			outer, inner := l.Enter(zones[0]), l.Enter(zones[1])
			for _, z := range zones[2:5] {
				l.Enter(z).Exit()
			}
			inner.Exit()
			outer.Exit()
		}
		time.Sleep(100 * time.Microsecond)
	}
	for _, l := range lanes {
		l.Close()
	}
	strobe.Frame("shown")
}

// move chooses the longest frame and moves the window for some seconds.
func move(b *testing.B, browser, address string, part float64) (map[string]float64, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.UserDataDir(b.TempDir()), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WindowSize(1280, 900), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	wait := func(condition string) error {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(time.Minute)))
		return err
	}
	if err := wait(`document.querySelector("#worst button") !== null`); err != nil {
		return nil, err
	}
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#worst button"))); err != nil {
		return nil, err
	}
	if err := wait(fmt.Sprintf(`parseInt(document.getElementById("timeline-scope").textContent) >= %d`, timelineSpans)); err != nil {
		return nil, err
	}
	// Each picture is asked for by a turn of the wheel: sideways in a part, and in the whole frame outwards, which leaves it as it is.
	type result struct{ Pictures, Script, Rectangles float64 }
	got, err := chromedp.Run(ctx, chromedp.Evaluate[result](fmt.Sprintf(`new Promise((done) => {
		const box = document.getElementById("timeline-lanes"), r = box.getBoundingClientRect(), draw = requestAnimationFrame, part = %v;
		const wheel = (deltaX, deltaY) => box.dispatchEvent(new WheelEvent("wheel", { clientX: r.x + r.width / 2, clientY: r.y + 20, deltaX, deltaY, bubbles: true, cancelable: true }));
		let script = 0, n = 0;
		const timed = (f) => { const began = performance.now(); f(); script += performance.now() - began; };
		window.requestAnimationFrame = (f) => draw((t) => timed(() => f(t)));
		for (let zoom = 1; zoom > part; zoom /= 2) wheel(0, -300);
		draw(() => draw((began) => {
			script = 0;
			const next = (t) => {
				if (t - began > 5000) return done({ pictures: (n / (t - began)) * 1000, script: script / n, rectangles: Number(box.dataset.rectangles) });
				n++;
				timed(() => wheel(part < 1 ? (n %% 200 < 100 ? 2 : -2) : 0, part < 1 ? 0 : 1));
				draw(next);
			};
			draw(next);
		}));
	})`, part), chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, err
	}
	return map[string]float64{"pictures/s": got.Pictures, "script-ms": got.Script, "rectangles": got.Rectangles}, nil
}

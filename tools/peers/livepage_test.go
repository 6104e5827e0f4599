// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arl/statsviz"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/tools/browser"
)

// BenchmarkLivePage measures pages that show a running program, in a browser.
func BenchmarkLivePage(b *testing.B) { runRows(b, livePageRows()) }

func livePageRows() []row {
	return []row{
		{"live", livePageRow(func(mux *http.ServeMux) (path string, end func(), err error) {
			page := live.New(live.Options{})
			mux.Handle("/strobe/", http.StripPrefix("/strobe", page))
			return "/strobe/", func() { page.Close() }, nil
		}, `false`)}, // the page reports this itself
		{"statsviz", livePageRow(func(mux *http.ServeMux) (string, func(), error) {
			return "/debug/statsviz/", func() {}, statsviz.Register(mux, statsviz.SendFrequency(50*time.Millisecond))
		}, `document.querySelector(".js-plotly-plot .trace")`)},
		{"one-canvas", livePageRow(func(mux *http.ServeMux) (string, func(), error) {
			mux.HandleFunc("/canvas", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				io.WriteString(w, oneCanvas)
			})
			return "/canvas", func() {}, nil
		}, `false`)},
	}
}

// oneCanvas is a minimal page with a plot: the lower limit for this browser and this machine.
const oneCanvas = `<!doctype html><title>canvas</title><link rel="icon" href="data:,"><canvas id="c" width="1200" height="176"></canvas><script>
document.getElementById("c").getContext("2d").fillRect(0, 0, 1000, 100);
requestAnimationFrame(() => setTimeout(() => { window.firstPlot = performance.now(); }));
</script>`

const (
	pageFrames = 240 // frames of the program per second
	watchFor   = 10 * time.Second
)

// livePageRow shows a page while a loop runs in this process. drawn is the condition under which the page has plotted
// something, unless it sets firstPlot itself.
func livePageRow(register func(*http.ServeMux) (string, func(), error), drawn string) func(*testing.B) {
	return func(b *testing.B) {
		program, err := browser.Path()
		if err != nil {
			b.Skip(err)
		}
		once(b, func() map[string]float64 {
			stop := shownLoop()
			defer stop()
			mux := http.NewServeMux()
			path, end, err := register(mux)
			if err != nil {
				b.Fatal(err)
			}
			defer end()
			server := httptest.NewServer(mux)
			defer server.CloseClientConnections()
			time.Sleep(2 * time.Second) // until there is something to show
			quiet := cpuShare(b, watchFor)
			m, err := look(b, program, server.URL+path, drawn)
			if err != nil {
				b.Fatal(err)
			}
			m["cpu-%"] = max(0, m["cpu-%"]-quiet)
			return m
		})
	}
}

// cpuShare returns the share of a processor that this process uses within a time, in percent.
func cpuShare(b *testing.B, d time.Duration) float64 {
	before, ok := cpuTime()
	if !ok {
		b.Skip("the processor time of a process is not known here")
	}
	time.Sleep(d)
	after, _ := cpuTime()
	return 100 * float64(after-before) / float64(d)
}

// shownLoop starts a loop with ten zones.
func shownLoop() (stop func()) {
	zones := manyZones10()
	var done atomic.Bool
	var ended sync.WaitGroup
	ended.Go(func() {
		ticker := time.NewTicker(time.Second / pageFrames) // a limiter would spin longer beside a busy browser
		defer ticker.Stop()
		for ; !done.Load(); <-ticker.C {
			strobe.Frame("shown")
			whole := zones[0].Enter()
			for _, z := range zones[1:] {
				z.Enter().Exit()
			}
			whole.Exit()
		}
	})
	return func() {
		done.Store(true)
		ended.Wait()
	}
}

// look opens the page and returns the time until the first plot, the pictures per second, the kB until the first plot, and the
// processor time of this process.
func look(b *testing.B, browser, address, drawn string) (map[string]float64, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.UserDataDir(b.TempDir()), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WindowSize(1280, 900), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return nil, err
	}
	var bytes atomic.Int64
	err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventLoadingFinished); ok {
			bytes.Add(int64(e.EncodedDataLength))
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	first := 0.0
	for asked := time.Now(); first == 0; time.Sleep(10 * time.Millisecond) {
		var err error // errors while the browser leaves the empty page
		if first, err = chromedp.Run(ctx, chromedp.Evaluate[float64](`window.firstPlot || ((`+drawn+`) ? window.firstPlot = performance.now() : 0)`)); time.Since(asked) > time.Minute {
			return nil, fmt.Errorf("no plot within a minute (last error: %v)", err)
		}
	}
	shipped := float64(bytes.Load()) / 1000
	if _, err := chromedp.Call(ctx, network.Disable, cdp.Empty{}); err != nil { // otherwise this process would receive every message
		return nil, err
	}
	before, _ := cpuTime()
	began := time.Now()
	frames, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`new Promise((done) => { let n = 0; const began = performance.now(); const count = (t) => { if (t - began > 10000) done(n / (t - began) * 1000); else { n++; requestAnimationFrame(count); } }; requestAnimationFrame(count); })`, chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, err
	}
	after, _ := cpuTime()
	return map[string]float64{"first-plot-ms": first, "pictures/s": frames, "kB": shipped, "cpu-%": 100 * float64(after-before) / float64(time.Since(began))}, nil
}

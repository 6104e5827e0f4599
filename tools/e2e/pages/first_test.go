// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	chromepage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
)

// watchFirst records what the page shows when it requests the stream.
const watchFirst = `window.EventSource = class extends EventSource {
	constructor(...args) {
		super(...args);
		const canvas = document.querySelector("#strip canvas"), pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		window.atFirst ??= { plot: window.firstPlot ?? 0, drawn: pixels.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0) / (canvas.width * canvas.height), rows: document.querySelectorAll("#zones tbody tr").length };
	}
}`

func TestThePlotIsDrawnBeforeAnythingElse(t *testing.T) {
	server := live.New(live.Options{Budget: 500 * time.Microsecond}) // so that bars are as high as the strip
	defer server.Close()
	work, done, ended := strobe.NewZone("first work"), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
			strobe.Frame("first")
			s := work.Enter()
			time.Sleep(time.Millisecond)
			s.Exit()
		}
	}()
	defer func() { close(done); <-ended }()
	for len(server.SlowFrames()) < 20 {
		time.Sleep(10 * time.Millisecond)
	}
	web := httptest.NewServer(server)
	defer web.CloseClientConnections()
	ctx, cancel := chromedp.NewContext(fresh(t))
	defer cancel()
	p := &page{ctx: ctx}
	command(t, p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 800, DeviceScaleFactor: 1})
	command(t, p, chromepage.Enable, chromepage.EnableParams{})
	command(t, p, chromepage.AddScriptToEvaluateOnNewDocument, chromepage.AddScriptToEvaluateOnNewDocumentParams{Source: watchFirst})
	p.do(t, chromedp.Navigate(web.URL))
	p.until(t, `window.ready === true && window.firstPlot > 0`)
	at := eval[struct {
		Plot, Drawn float64
		Rows        int
	}](t, p, `window.atFirst`)
	if at.Plot == 0 || at.Drawn < 0.012 || at.Rows != 0 { // the lines across the strip cover less
		t.Errorf("when the page asks for the stream, it has %+v", at)
	}
	top := eval[float64](t, p, `document.getElementById("strip").getBoundingClientRect().top - parseFloat(getComputedStyle(document.body).paddingTop) - parseFloat(getComputedStyle(document.querySelector("header")).marginBottom) - parseFloat(getComputedStyle(document.querySelector("header")).minHeight)`)
	if top < -1 || top > 1 {
		t.Errorf("the strip jumps by %v pixels when the header is laid out", top)
	}
}

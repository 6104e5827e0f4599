// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/tools/browser"
	"github.com/strobe-go/strobe/trace"
)

// page opens /trace.json in the viewer as a user sees it, and sets window.opened when it is loaded.
const page = `<!doctype html><meta charset="utf-8"><title>timeline</title>
<style>html, body, #view { margin: 0; width: 100%; height: 100%; overflow: hidden }</style>
<script src="/static/webcomponents.min.js"></script>
<link rel="import" href="/static/trace_viewer_full.html">
<script>
document.addEventListener('WebComponentsReady', async () => {
	try {
		const json = await (await fetch('/trace.json')).text();
		const view = document.createElement('tr-ui-timeline-view');
		view.track_view_container = document.createElement('track-view-container');
		view.track_view_container.id = 'track_view_container';
		Polymer.dom(view).appendChild(view.track_view_container);
		view.id = 'view';
		view.globalMode = true;
		Polymer.dom(document.body).appendChild(view);
		window.model = new tr.Model();
		await new tr.importer.Import(model).importTracesWithProgressDialog([json]);
		view.model = model;
		const port = view.trackView.viewport, turn = Object.values(model.processes).flatMap(p => Object.values(p.threads))
			.flatMap(t => t.sliceGroup.slices).find(s => s.title === 'turn');
		if (turn) { // show the first turns
			const shown = port.currentDisplayTransform.clone();
			shown.xSetWorldBounds(turn.start - turn.duration / 4, turn.start + 3 * turn.duration, 950);
			port.setDisplayTransformImmediately(shown);
		}
		for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); // until it is drawn
		window.opened = 'yes';
	} catch (e) { window.opened = 'no: ' + e + e.stack; }
});
</script><body></body>`

// summary extracts what the test checks from the viewer's model.
const summary = `JSON.stringify((() => {
	const out = {threads: [], counters: {}, warnings: model.importWarnings.map(w => w.type + ': ' + w.message)};
	const plain = s => ({name: s.title, cat: s.category, start: s.start, took: s.duration, inside: s.parentSlice ? s.parentSlice.title : ''});
	for (const process of Object.values(model.processes)) {
		for (const thread of Object.values(process.threads))
			out.threads.push({name: thread.name || '', slices: thread.sliceGroup.slices.map(plain)});
		for (const counter of Object.values(process.counters))
			out.counters[counter.name] = counter.series.map(s => s.samples.map(v => v.value));
		out.process = (process.instantEvents || []).map(e => e.title);
	}
	out.global = model.instantEvents.map(e => ({name: e.title, args: e.args}));
	return out;
})())`

type model struct {
	Threads []struct {
		Name   string
		Slices []struct {
			Name, Cat, Inside string
			Start, Took       float64 // ms
		}
	}
	Counters map[string][][]float64
	Warnings []string
	Process  []string
	Global   []struct {
		Name string
		Args struct {
			Lost  int
			Notes []string
		}
	}
}

// open opens the timeline in the viewer of Go's distribution.
func open(t *testing.T, timeline profile.Timeline) model {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	viewer := filepath.Join(strings.TrimSpace(string(root)), "src/internal/trace/traceviewer/static")
	if _, err := os.Stat(filepath.Join(viewer, "trace_viewer_full.html")); err != nil {
		t.Fatalf("no trace viewer in Go's tree: %v\nremedy: a Go installation with its sources (Debian: apt-get install golang-src)", err)
	}
	var file bytes.Buffer
	if err := trace.WriteChrome(&file, timeline); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(page)) })
	mux.HandleFunc("/trace.json", func(w http.ResponseWriter, _ *http.Request) { w.Write(file.Bytes()) })
	mux.Handle("/static/", http.StripPrefix("/static/", http.FileServer(http.Dir(viewer))))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	ctx := browser.Start(t, chromedp.WindowSize(1200, 700))
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL)); err != nil {
		t.Fatalf("Chromium does not open the page: %v", err)
	}
	opened, err := chromedp.Run(ctx, chromedp.Poll[string]("window.opened", chromedp.WithPollingTimeout(4*time.Minute)))
	if err != nil || opened != "yes" {
		t.Fatalf("the viewer does not open the trace: %v %s", err, opened)
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](summary))
	if err != nil {
		t.Fatal(err)
	}
	var m model
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err != nil {
		t.Errorf("no screenshot: %v", err)
	} else if err := os.WriteFile(filepath.Join(t.ArtifactDir(), "viewer.png"), png, 0o644); err != nil {
		t.Error(err)
	}
	return m
}

func TestTheViewerOfGoOpensTheTimeline(t *testing.T) {
	timeline, _ := run()
	m := open(t, timeline)
	if len(m.Warnings) > 0 {
		t.Errorf("the viewer warns: %q", m.Warnings)
	}
	got := map[string]int{}
	for _, thread := range m.Threads {
		for _, s := range thread.Slices {
			got[s.Name]++
			if want, ok := map[string]string{"turn": "", "step": "turn", "wait": ""}[s.Name]; ok && s.Inside != want {
				t.Errorf("%s lies in %q", s.Name, s.Inside)
			}
			if s.Name == "hit" && s.Inside != "hit" && s.Inside != "step" {
				t.Errorf("%s lies in %q", s.Name, s.Inside)
			}
			if want := map[string]string{"wait": shown, "turn": "main"}[s.Name]; want != "" && thread.Name != want {
				t.Errorf("%s is on the thread %q", s.Name, thread.Name)
			}
			if s.Name == "wait" && (s.Cat != "wait" || s.Took < 1) {
				t.Errorf("%+v of a wait of 1 ms", s)
			}
		}
	}
	for name, n := range calls {
		if name == shown {
			name = named
		}
		if got[name] != n {
			t.Errorf("%d slices of %q, want %d", got[name], name, n)
		}
	}
	if got[shown] != 1 { // the message: the viewer treats instants of a thread as slices
		t.Errorf("%d messages", got[shown])
	}
	if got["loop"] != turns {
		t.Errorf("%d frames, want %d", got["loop"], turns)
	}
	heights := m.Counters["height"]
	if len(heights) != 1 || len(heights[0]) != turns || heights[0][turns-1] != float64(turns-1)/4 {
		t.Errorf("counters: %v", m.Counters)
	}
	if len(m.Global) != 1 || m.Global[0].Name != "timeline taken" {
		t.Errorf("global: %v", m.Global)
	}
}

func TestTheViewerOfGoOpensAnEmptyTimeline(t *testing.T) {
	m := open(t, profile.Timeline{Notes: []string{"nothing"}})
	if len(m.Warnings) > 0 || len(m.Global) != 1 || m.Global[0].Args.Notes[0] != "nothing" {
		t.Errorf("%+v", m)
	}
}

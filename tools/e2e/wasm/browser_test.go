// SPDX-License-Identifier: BSD-3-Clause

package wasm

import (
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
)

const page = `<!doctype html><meta charset="utf-8"><title>program</title><script src="wasm_exec.js"></script><script>
const go = new Go();
WebAssembly.instantiateStreaming(fetch('program.wasm'), go.importObject).then(w => go.run(w.instance)).then(
	() => window.result = window.result || '"the program ended without a result"', e => window.result = JSON.stringify(String(e)));
</script>`

func TestAProgramMeasuresItselfInABrowser(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-ldflags=-w", "-o", filepath.Join(dir, "program.wasm"), "./testdata/program")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(page)) })
	for file, folder := range map[string]string{"program.wasm": dir, "wasm_exec.js": filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")} {
		mux.HandleFunc("/"+file, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(folder, file)) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	ctx := browser.Start(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Poll[string]("window.result", chromedp.WithPollingTimeout(4*time.Minute)))
	if err != nil {
		t.Fatalf("the program does not end: %v", err)
	}
	var r struct {
		Source                   string
		ClockMS, PageMS, TurnsMS float64
		Back, Turns, Early       int
		Goroutines               int
		Snapshot                 profile.Snapshot
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %.500s", err, text)
	}
	t.Logf("clock %s: %.1f ms, by the page's %.1f ms; %d turns in %.1f ms", r.Source, r.ClockMS, r.PageMS, r.Turns, r.TurnsMS)

	const step = 0.2 // ms: twice the coarsest step of a page's clock
	if r.Back != 0 || r.ClockMS > r.PageMS+step || r.ClockMS < 200 {
		t.Errorf("the clock went back %d times, and counted %.3f ms of the page's %.3f", r.Back, r.ClockMS, r.PageMS)
	}
	if r.Early != 0 || r.Turns != 20 || r.TurnsMS < 180 {
		t.Errorf("%d of %d turns were early; they took %.1f ms", r.Early, r.Turns, r.TurnsMS)
	}
	checkZones(t, r.Snapshot, r.Goroutines)
}

// checkZones compares a snapshot with what the program does: on each goroutine outer calls inner five times, and nothing else.
func checkZones(t *testing.T, s profile.Snapshot, goroutines int) {
	outer, ok := s.Zone("outer")
	inner, also := s.Zone("inner")
	if !ok || !also || len(s.Lanes) != goroutines {
		t.Fatalf("%d lanes for %d goroutines; zones %v", len(s.Lanes), goroutines, s.Zones)
	}
	if len(s.Notes) > 0 || s.EndedTwice+s.EndedElsewhere+s.EndedEarly+s.Abandoned > 0 {
		t.Errorf("notes %q; ended twice %d, elsewhere %d, early %d, abandoned %d", s.Notes, s.EndedTwice, s.EndedElsewhere, s.EndedEarly, s.Abandoned)
	}
	for _, l := range s.Lanes {
		zones := map[int]profile.ZoneStats{}
		for _, z := range l.Zones {
			zones[z.Zone] = z
		}
		o, i := zones[outer], zones[inner]
		if o.Calls != 1 || i.Calls != 5 || i.Total < 20*time.Millisecond || i.SelfUnknown || o.SelfUnknown || o.Self != o.Total-i.Total || i.Self != i.Total {
			t.Errorf("lane %s: outer %+v, inner %+v", l.Name, o, i)
		}
	}
}

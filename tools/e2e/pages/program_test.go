// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"bufio"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// slowFrame is the number of the slow frame.
const slowFrame = 300

// build builds the program.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "stutter")
	cmd := exec.Command("go", "build", "-o", program, "testdata/stutter/main.go")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

// run starts the program, which is slow in one frame, and returns the address that it prints and a function that ends it.
func run(t *testing.T, program, addr string, frame int, slow string) (address string, end func()) {
	t.Helper()
	cmd := exec.Command(program, addr, fmt.Sprint(frame), slow)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = func() { cmd.Process.Kill(); cmd.Wait() }
	t.Cleanup(end)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/"), end
}

// find clicks the slow frame in the list of the worst frames and checks that the page names the zone.
func (p *page) find(t *testing.T) {
	t.Helper()
	button := fmt.Sprintf(`#worst [data-frame="%d"]`, slowFrame)
	p.until(t, fmt.Sprintf(`document.querySelector(%q) !== null`, button))
	p.click(t, button)
	var took, more float64 // no upper limits, which a busy machine would exceed
	got := p.text(t, "#compare strong")
	if _, err := fmt.Sscanf(got, "update/ai/path took %f s, %f s more than in the median frame.", &took, &more); err != nil || took < 3 || more > took || more < 2.5 {
		t.Errorf("the page says %q", got)
	}
}

// planted checks that the timeline of the slow frame shows the slow span in its place: after input and physics, before render, in
// the middle of the frame.
func (p *page) planted(t *testing.T) {
	t.Helper()
	p.click(t, "#timeline-fit")
	b := p.timeline(t, fmt.Sprintf("frame %d", slowFrame))
	p.over(t, b, 0.5, -3)
	got := p.over(t, b, 0.5, firstRow+2*rowHeight)
	var took, at, self float64
	if _, err := fmt.Sscanf(got, "update/ai/path · %f s · at %f ms · self %f s", &took, &at, &self); err != nil || took < 3 || self != took || !strings.HasSuffix(got, "· lane main") {
		t.Errorf("in the middle of the frame the timeline reads %q: %v", got, err)
	}
	type spans struct {
		Start int64 `json:"start_ns"`
		Took  int64 `json:"duration_ns"`
		Lanes []struct {
			Name  string
			Own   bool
			Spans []int64
		}
	}
	a, err := chromedp.Run(p.ctx, chromedp.Evaluate[spans](fmt.Sprintf(`fetch("spans?frame=%d").then((r) => r.json())`, slowFrame), chromedp.EvalAwaitPromise))
	if err != nil || len(a.Lanes) == 0 || a.Lanes[0].Name != "main" || !a.Lanes[0].Own {
		t.Fatalf("%+v, %v", a, err)
	}
	start, long := 0.0, false // ms, of the innermost long span
	for i := 0; i+2 < len(a.Lanes[0].Spans); i += 3 {
		if s := a.Lanes[0].Spans[i : i+3]; s[2] > 3e9 {
			start, long = float64(s[1])/1e6, true
		}
	}
	if !long || at < start-1 || at > start+1 || start < 1 || start > 1000 { // a busy machine delays it
		t.Errorf("the page shows the span at %v ms, it is at %v", at, start)
	}
}

func TestTheSlowZoneOfARunningProgramIsFound(t *testing.T) {
	program, chrome := build(t), fresh(t)
	address, end := run(t, program, "127.0.0.1:0", slowFrame, "3s")
	p := watch(t, chrome, address, 1280, 900, "light")
	p.find(t)
	p.planted(t)
	later := watch(t, chrome, address, 1280, 900, "dark") // opened after everything has happened
	later.find(t)
	later.planted(t)
	later.click(t, "#flame")
	for _, link := range []string{"#chrome", "#perfetto", "#pprof"} {
		got, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf(`fetch(document.querySelector(%q).href).then(async (r) => r.status + " " + (await r.arrayBuffer()).byteLength)`, link), chromedp.EvalAwaitPromise))
		var status, size int
		if fmt.Sscanf(got, "%d %d", &status, &size); err != nil || status != 200 || size < 100 {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
	before := p.text(t, "#status")
	end()
	p.until(t, `document.getElementById("status").textContent.startsWith("reconnecting")`)
	if u, err := url.Parse(address); err != nil {
		t.Fatal(err)
	} else {
		run(t, program, u.Host, slowFrame, "3s")
	}
	p.until(t, fmt.Sprintf(`/^process \d+$/.test(document.getElementById("status").textContent) && document.getElementById("status").textContent !== %q`, before))
	p.find(t)
	for _, p := range []*page{p, later} {
		p.mu.Lock()
		p.complaint = slices.DeleteFunc(p.complaint, func(c string) bool { return strings.Contains(c, "net::ERR_") && strings.Contains(c, "/events") })
		p.mu.Unlock()
		p.quiet(t)
	}
}

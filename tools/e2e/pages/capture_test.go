// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// captured writes the file of a capture, which the test of package capture makes.
func captured(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.html")
	cmd := exec.Command("go", "test", "-count=1", "-run=AFileHoldsItsReport", "./capture")
	cmd.Dir, cmd.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOWORK=auto", "STROBE_CAPTURE="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func TestTheFileOfACaptureWorksInABrowser(t *testing.T) {
	file := captured(t)
	chrome := fresh(t)
	for _, c := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		t.Run(fmt.Sprintf("%d wide, %s", c.width, c.scheme), func(t *testing.T) {
			p := open(t, chrome, file, c.width, 900, c.scheme)
			coloursAreReadable(t, p, c.scheme == "dark")
			if text := p.text(t, "h1"); !strings.HasPrefix(text, "request took 69 ms, 60 ms more than usual: 58 ms waiting for a lock") {
				t.Errorf("the sentence is %q", text)
			}
			if n := eval[int](t, p, `document.querySelectorAll("#timeline rect.box").length`); n != 15 { // 3 spans and 4 states of the goroutine, 2 samples, a span that worked for it, 2 states of the other, a collection, 2 times off the processor
				t.Errorf("%d boxes in the timeline", n)
			}
			// The bars are as long as the parts of the account.
			shares := eval[[]float64](t, p, `[...document.querySelectorAll(".account rect:first-child")].map((e) => e.getBoundingClientRect().width / e.closest("svg").getBoundingClientRect().width)`)
			if len(shares) != 4 || shares[0] < 0.99 || shares[1] < 0.13 || shares[1] > 0.145 {
				t.Errorf("bars %v", shares)
			}
			p.do(t, chromedp.Focus("#timeline"), chromedp.KeyEvent(kb.ArrowRight))
			if text := p.text(t, "#timeline-read"); text != "request: 69 ms" {
				t.Errorf("the first box reads %q", text)
			}
			p.do(t, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
			if text := p.text(t, "#timeline-read"); text != "save: 60 ms, from 2 ms on" {
				t.Errorf("the box below reads %q", text)
			}
			if ticks := eval[[]string](t, p, `[...document.querySelectorAll("#timeline text[text-anchor=middle]")].map((e) => e.textContent)`); len(ticks) == 0 || ticks[len(ticks)-1] > "65 ms" {
				t.Errorf("the axis after zooming: %q", ticks)
			}
			p.do(t, chromedp.KeyEvent("0"))
			p.do(t, chromedp.KeyEvent(kb.ArrowDown))
			if text := p.text(t, "#timeline-read"); text != "waiting (sync): 58 ms, from 3 ms on\nat main.(*store).save (store.go:41) · in zone save · ended by goroutine 35 at main.(*store).flush (store.go:88)" {
				t.Errorf("the state below reads %q", text)
			}
			p.do(t, chromedp.KeyEvent(kb.ArrowLeft))
			if text := p.text(t, "#timeline-read"); !strings.HasPrefix(text, "running: 3 ms, from 0") {
				t.Errorf("the state before reads %q", text)
			}
			if over := eval[int](t, p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the page is %d pixels too wide", over)
			}
			p.quiet(t)
		})
	}
}

// shown starts strobe open with a file, and returns the address of its page.
func shown(t *testing.T, file string) string {
	t.Helper()
	strobe := filepath.Join(t.TempDir(), "strobe")
	if runtime.GOOS == "windows" {
		strobe += ".exe"
	}
	build := exec.Command("go", "build", "-o", strobe, "./cmd/strobe")
	build.Dir, build.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOWORK=auto")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	cmd := exec.Command(strobe, "open", "--no-browser", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); url != "" {
			return url
		}
	}
	t.Fatalf("no address is printed: %v", lines.Err())
	return ""
}

func TestATimelineThatIsOpenedShowsMoreWhenItIsZoomed(t *testing.T) {
	const n = 5000
	timeline := profile.Timeline{Zones: []profile.ZoneInfo{{Name: "short", Every: 1}, {Name: "<b>long", Every: 1}}, Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{Name: "main"}}}}
	for i := range n {
		at := clock.Instant(1000 * i)
		timeline.Events = append(timeline.Events, profile.Event{Kind: profile.SpanEvent, Zone: 1, Path: -1, Start: at, Took: 900}, profile.Event{Kind: profile.SpanEvent, Zone: 0, Path: -1, Depth: 1, Start: at + 100, Took: 10})
	}
	text, err := json.Marshal(timeline)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "timeline")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	url := shown(t, file)
	p := visit(t, fresh(t), url, url, 1280, 900, "light")
	if text := p.text(t, "#left"); text != "6000 shorter spans of this time are not shown: zoom in to see them." {
		t.Errorf("%q", text)
	}
	p.do(t, chromedp.Focus("#lanes"))
	for range 8 {
		p.do(t, chromedp.KeyEvent("+"))
	}
	p.until(t, `document.querySelector("#left").textContent === "" && document.querySelectorAll("#lanes rect.box").length >= 38`) // 5 ms / 256, two spans each µs
	p.do(t, chromedp.KeyEvent(kb.ArrowRight))
	if text := p.text(t, "#lanes-read"); !strings.HasPrefix(text, "<b>long: 900 ns, from 2.") || !strings.HasSuffix(text, " · main") {
		t.Errorf("a span reads %q", text)
	}
	p.quiet(t)
}

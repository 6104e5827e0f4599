// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// long reports whether the tests take their full time, which needs an idle machine, and check what they measure.
func long() bool { return os.Getenv("STROBE_LONG") != "" }

// A steady is a running program of testdata/steady.
type steady struct {
	address string
	in      io.Writer
	out     *bufio.Reader
}

func buildSteady(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "steady")
	if text, err := exec.Command("go", "build", "-o", program, "testdata/steady/main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

// start runs the program, in which one zone is slow in one frame.
func start(t *testing.T, program string, frame int, zone string, slow time.Duration) (s *steady, end func()) {
	t.Helper()
	cmd := exec.Command(program, fmt.Sprint(frame), zone, slow.String())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = func() { in.Close(); cmd.Process.Kill(); cmd.Wait() }
	t.Cleanup(end)
	s = &steady{in: in, out: bufio.NewReader(out)}
	s.address = strings.TrimSuffix(s.line(t), "/")
	if got := s.line(t); got != "1000" {
		t.Fatalf("after a thousand frames it prints %q", got)
	}
	return s, end
}

func (s *steady) line(t *testing.T) string {
	t.Helper()
	text, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	return strings.TrimSpace(text)
}

// heap returns the bytes in use after a garbage collection, of the program and of the page.
func (s *steady) heap(t *testing.T, p *page) (program, page float64) {
	t.Helper()
	fmt.Fprintln(s.in)
	fmt.Sscan(s.line(t), &program)
	command(t, p, heapprofiler.CollectGarbage, cdp.Empty{})
	use, err := chromedp.Call(p.ctx, runtime.GetHeapUsage, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return program, use.UsedSize + use.BackingStorageSize
}

// TestTheHeapsStayFlatWhileFramesCome watches a program for five periods, of a minute each if long.
func TestTheHeapsStayFlatWhileFramesCome(t *testing.T) {
	part := 3 * time.Second
	if long() {
		part = time.Minute
	}
	s, _ := start(t, buildSteady(t), 0, "", 0)
	tab, cancel := chromedp.NewContext(fresh(t))
	defer cancel()
	p := &page{ctx: tab} // without the network's events, which cost time, and without a deadline
	p.do(t, chromedp.Navigate(s.address+"/"))
	p.until(t, `window.ready === true`)
	eval[chromedp.Void](t, p, `(() => { window.pictures = 0; const count = () => { window.pictures++; requestAnimationFrame(count); }; count(); })()`)
	count := func() (pictures, at float64) {
		v := eval[[]float64](t, p, `[window.pictures, performance.now() / 1000]`)
		return v[0], v[1]
	}
	var programs, pages []float64
	for n := range 5 {
		before, from := count()
		time.Sleep(part)
		after, to := count()
		pictures := (after - before) / (to - from)
		rate := p.text(t, "#rate")
		a, b := s.heap(t, p)
		programs, pages = append(programs, a), append(pages, b)
		t.Logf("after %v: %.1f pictures/s, %s frames/s are shown, %q; heap of the program %.2f MB, of the page %.2f MB", part*time.Duration(n+1), pictures, rate, p.text(t, "#scope"), a/1e6, b/1e6)
		if long() && pictures < 58 {
			t.Errorf("%.1f pictures/s", pictures)
		}
		var hz float64
		if fmt.Sscan(rate, &hz); long() && hz < 238 {
			t.Errorf("%s frames/s", rate)
		}
	}
	if first, last := pages[0], pages[4]; last > 1.05*first+1e6 {
		t.Errorf("the heap of the page grew from %.2f to %.2f MB", first/1e6, last/1e6)
	}
	if first, last := programs[0], programs[4]; long() && last > 1.05*first+1e6 { // in the first minute the program fills its buffers
		t.Errorf("the heap of the program grew from %.2f to %.2f MB", first/1e6, last/1e6)
	}
}

// see returns the middle of an element if it is visible there: in the window and not covered.
func (p *page) see(t *testing.T, selector string) (x, y float64, seen bool) {
	t.Helper()
	v := eval[[]float64](t, p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q), r = e?.getBoundingClientRect();
		if (!r?.width) return [0, 0, 0];
		const x = r.x + r.width / 2, y = r.y + r.height / 2, top = document.elementFromPoint(x, y);
		return [x, y, top && (e.contains(top) || top.contains(e)) ? 1 : 0];
	})()`, selector))
	return v[0], v[1], v[2] == 1
}

// search opens the page and clicks like a person: on the first of the worst frames, and on the next one if the time was lost
// outside any zone. It returns the zone that the page names, or its text after three clicks.
func search(t *testing.T, chrome context.Context, address string) (zone string, clicks int, took time.Duration) {
	t.Helper()
	tab, cancel := chromedp.NewContext(chrome)
	defer cancel()
	tab, cancel = context.WithTimeout(tab, 2*time.Minute)
	defer cancel()
	p := &page{ctx: tab}
	command(t, p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 800, DeviceScaleFactor: 1})
	p.do(t, chromedp.Navigate("about:blank"))
	began := time.Now()
	p.do(t, chromedp.Navigate(address+"/"))
	first, since, said := "", began, "" // the first of the worst frames, and when it became the first
	for clicks < 3 && time.Since(began) < time.Minute {
		button := fmt.Sprintf("#worst button:nth-of-type(%d)", clicks+1)
		x, y, seen := p.see(t, button)
		if label := eval[string](t, p, fmt.Sprintf(`document.querySelector(%q)?.ariaLabel ?? ""`, button)); !seen || label != first {
			first, since = label, time.Now()
		}
		if first == "" || time.Since(since) < 300*time.Millisecond { // no person is faster
			time.Sleep(20 * time.Millisecond)
			continue
		}
		p.do(t, chromedp.MouseClickXY(x, y))
		clicks++
		for wait := time.Now(); time.Since(wait) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
			if _, _, seen := p.see(t, "#compare strong"); !seen || p.text(t, "#compare strong") == said {
				continue
			}
			said = p.text(t, "#compare strong")
			if path, _, found := strings.Cut(said, " took "); found {
				return path[strings.LastIndex(path, "/")+1:], clicks, time.Since(began)
			}
			break
		}
	}
	return said, clicks, time.Since(began)
}

// TestTheCauseIsFoundInThreeClicks hides a slow zone in one of a thousand frames, and lets a script look for it, twenty times if
// long. Otherwise the zone takes longer than most delays on a busy machine, and the script tries again after a longer one.
func TestTheCauseIsFoundInThreeClicks(t *testing.T) {
	rounds, slow := 1, 3*time.Second
	if long() {
		rounds, slow = 20, 100*time.Millisecond
	}
	zones := []string{"input", "update", "physics", "broadphase", "narrowphase", "ai", "path", "render", "cull", "shadows"}
	program, chrome := buildSteady(t), fresh(t)
	found, longest, most := 0, time.Duration(0), 0
	for round := 0; found < rounds && round < max(rounds, 3); round++ {
		frame, zone := 1+rand.IntN(1000), zones[rand.IntN(len(zones))]
		s, end := start(t, program, frame, zone, slow)
		got, clicks, took := search(t, chrome, s.address)
		end()
		t.Logf("frame %d, %s: the page says %q after %d clicks and %v", frame, zone, got, clicks, took.Round(time.Millisecond))
		longest, most = max(longest, took), max(most, clicks)
		if got == zone && (took <= 10*time.Second || !long()) {
			found++
		}
	}
	t.Logf("found %d of %d, with at most %d clicks, in at most %v", found, rounds, most, longest.Round(time.Millisecond))
	if found < rounds {
		t.Errorf("found %d of %d", found, rounds)
	}
}

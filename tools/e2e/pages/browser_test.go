// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/strobe-go/strobe/tools/browser"
)

// started is the browser of all tests.
var started = sync.OnceValues(func() (context.Context, error) {
	ctx, end, err := browser.New()
	ended = end
	return ctx, err
})

// ended ends the browser if it was started.
var ended func()

func TestMain(m *testing.M) {
	code := m.Run()
	if ended != nil {
		ended()
	}
	os.Exit(code)
}

// fresh returns the browser as if it were a new one: pages that are opened in it find nothing that those of other tests have left.
func fresh(t *testing.T) context.Context {
	t.Helper()
	ctx, err := started()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// A page is a page that is open in the browser, with the messages of the browser about it.
type page struct {
	ctx context.Context
	url string
	own string // prefix of the addresses of its own files

	mu        sync.Mutex
	complaint []string // errors on the console, and exceptions
	requests  []string // for anything but the page
}

// open opens a file with a window size and a colour scheme, and waits until it is loaded. The page may request nothing else.
func open(t *testing.T, browser context.Context, file string, width, height int64, scheme string) *page {
	t.Helper()
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	return visit(t, browser, address, address, width, height, scheme)
}

// visit opens a page that may request only addresses that begin with own.
func visit(t *testing.T, browser context.Context, address, own string, width, height int64, scheme string) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	p := &page{ctx: ctx, url: address, own: own}
	err := chromedp.Listen(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			why := e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				why += " " + e.ExceptionDetails.Exception.Description
			}
			p.complaint = append(p.complaint, why)
		case *runtime.EventConsoleAPICalled:
			p.complaint = append(p.complaint, fmt.Sprintf("console.%s", e.Type))
		case *log.EventEntryAdded:
			p.complaint = append(p.complaint, fmt.Sprint(e.Entry.Level, ": ", e.Entry.Text, " ", e.Entry.URL))
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, p.own) && !strings.HasPrefix(e.Request.URL, "data:") {
				p.requests = append(p.requests, e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	command(t, p, network.Enable, network.EnableParams{})
	command(t, p, log.Enable, cdp.Empty{})
	command(t, p, runtime.Enable, cdp.Empty{})
	command(t, p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
	p.medium(t, "", scheme)
	p.do(t, chromedp.Navigate(p.url), chromedp.WaitReady("body"))
	return p
}

// patience is how long to wait for what happens at once unless the machine is busy.
const patience = 4 * time.Minute

// eventually waits until a condition holds, and reports whether it does.
func eventually(holds func() bool) bool {
	for end := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// command sends one command of the protocol.
func command[P, R any](t *testing.T, p *page, c cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(p.ctx, c, params); err != nil {
		t.Fatal(err)
	}
}

// medium emulates a medium and a colour scheme.
func (p *page) medium(t *testing.T, medium, scheme string) {
	t.Helper()
	command(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

func (p *page) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval runs a script in the page and returns its result.
func eval[T any](t *testing.T, p *page, script string) T {
	t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// quiet fails the test if the page reported an error or requested anything else.
func (p *page) quiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.complaint {
		t.Errorf("the browser says %s", c)
	}
	for _, r := range p.requests {
		t.Errorf("the page asks for %s", r)
	}
}

// uncertain matches a number with its uncertainty or its bounds, as pages show it.
var uncertain = regexp.MustCompile(`([+\-−]?\d+(?:\.\d+)?)(?: [\p{L}%/]+)?\s*(?:± (\d+(?:\.\d+)?)|\[([+\-−]?\d+(?:\.\d+)?), ([+\-−]?\d+(?:\.\d+)?)\])`)

// decimals returns the number of digits after the point.
func decimals(number string) int {
	_, fraction, _ := strings.Cut(number, ".")
	return len(fraction)
}

// digitsFollowUncertainty checks that no number of a page with an uncertainty has more digits than that.
func digitsFollowUncertainty(t *testing.T, p *page, least int) {
	t.Helper()
	found := uncertain.FindAllStringSubmatch(eval[string](t, p, `[...document.querySelectorAll("svg text")].reduce((s, e) => s + e.textContent + "\n", document.body.innerText)`), -1)
	for _, m := range found {
		finest := 0
		for _, n := range m[2:] {
			if n != "" {
				finest = max(finest, decimals(n))
			}
		}
		if decimals(m[1]) > finest {
			t.Errorf("more digits than are known: %q", m[0])
		}
	}
	if len(found) < least {
		t.Errorf("%d numbers with an uncertainty, want at least %d", len(found), least)
	}
}

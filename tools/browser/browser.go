// SPDX-License-Identifier: BSD-3-Clause

// Package browser starts Chromium for tests.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Path returns the path of the browser: the environment variable CHROME, or one in PATH. The error has a remedy.
func Path() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge"}
	if path := os.Getenv("CHROME"); path != "" {
		names = []string{path}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser: none of %s is here\nremedy: apt-get install chromium   (or your system's equivalent; CHROME=/path/to/it names another)",
		strings.Join(names, ", "))
}

// Start starts a headless browser that ends with the test. It uses the network only for the pages that it opens.
func Start(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	ctx, end, err := New(more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return ctx
}

// New starts a headless browser for several tests. The error has a remedy.
func New(more ...chromedp.ExecAllocatorOption) (ctx context.Context, end func(), err error) {
	path, err := Path()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "strobe-browser-")
	if err != nil {
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	end = func() {
		cancel()
		stop()
		remove(dir)
	}
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, fmt.Errorf("the browser does not start: %w\nremedy: see whether it runs by hand: %s --headless --no-sandbox about:blank", err, path)
	}
	return ctx, end, nil
}

// remove removes the folder of a browser. Processes of the browser may still write there; files that remain do not fail the test.
func remove(dir string) {
	for range 100 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A server is a demonstration that runs until the test ends. The first line of its output contains the address of its page.
type server struct {
	bytes.Buffer
	once sync.Once
	page chan string
}

func (s *server) Write(text []byte) (int, error) {
	s.Buffer.Write(text)
	if line, _, ok := strings.Cut(s.String(), "\n"); ok {
		s.once.Do(func() { s.page <- strings.TrimPrefix(line, "Live page: ") })
	}
	return len(text), nil
}

// serveDemo runs a demonstration and returns the address of its page.
func serveDemo(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{page: make(chan string, 1)}
	ended := make(chan string)
	go func() {
		var e bytes.Buffer
		run(ctx, []string{"demo", "--for=0", "--boids=50", "--http=127.0.0.1:0"}, s, &e)
		ended <- e.String()
	}()
	t.Cleanup(func() {
		cancel()
		if errout := <-ended; errout != "" {
			t.Error(errout)
		}
	})
	select {
	case page := <-s.page:
		return page
	case errout := <-ended:
		go func() { ended <- "" }()
		t.Skip("no page to look at: ", errout)
	}
	return ""
}

func TestTopAndTraceSpeakWithTheRealServer(t *testing.T) {
	page := serveDemo(t)
	type table struct {
		Program, Loop string
		Rate          *float64 `json:"rate_hz"`
		Budget        float64  `json:"budget_ns"`
		Frames        int
		Zones         []struct {
			Zone  string
			Calls float64 `json:"calls_hz"`
			Share float64
		}
		Runtime *struct{ Goroutines float64 }
		Plots   map[string]float64
	}
	var o table
	rated := func() bool { // as often as the demonstration ticks at most
		for _, z := range o.Zones {
			if z.Zone == "tick" && z.Calls > 0 && z.Calls <= 75 && z.Share > 0 && z.Share <= 1 {
				return true
			}
		}
		return false
	}
	var out, errout string
	var code int
	for range 10 { // who ticks or who reads may get no processor for some seconds
		o = table{}
		out, errout, code = strobe(t, "top", "--once", "--json", page)
		if err := json.Unmarshal([]byte(out), &o); code == session.Done && (err != nil || errout != "") {
			t.Fatalf("%q, %v", errout, err)
		}
		if code == session.Done && o.Frames >= 10 && (len(o.Zones) == 0 || rated()) {
			break
		}
	}
	if code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	if len(o.Zones) == 0 {
		t.Skip("this build measures no zones: ", out)
	}
	if o.Loop != "ticker" || o.Budget < 1e9/60 || o.Frames < 10 || o.Runtime == nil || o.Runtime.Goroutines < 5 {
		t.Errorf("%s", out)
	}
	if late, ok := o.Plots["ticker lateness µs"]; !ok || late < 0 {
		t.Errorf("plots: %v", o.Plots)
	}
	if !rated() {
		t.Errorf("no tick, or not as many as there are: %s", out)
	}
	for range 10 {
		out, errout, code = strobe(t, "top", "--once", "--loop=census", page)
		if code == session.Done && strings.Contains(out, "\ntick ") {
			break
		}
	}
	if code != session.Done || errout != "" || !strings.Contains(out, "loop census") || !strings.Contains(out, "\ntick ") {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}

	dir := t.TempDir()
	for name, has := range map[string]string{"a.json": `"name":"neighbours"`, "a.pftrace": "neighbours", "a.timeline.json": "neighbours", "a.pb.gz": "neighbours"} {
		file := filepath.Join(dir, name)
		var text []byte
		var err error
		for _, span := range []string{"300ms", "1s", "5s", "20s"} { // the longer ones are for a machine so busy that nothing happens in the first
			if out, errout, code := strobe(t, "trace", page, "--for", span, "-o", file); code != session.Done || errout != "" || !strings.Contains(strings.Join(strings.Fields(out), ""), name) {
				t.Errorf("%s: exit %d, %q, %q", name, code, out, errout)
			}
			text, err = os.ReadFile(file)
			if strings.HasSuffix(name, ".gz") && err == nil {
				var z *gzip.Reader
				if z, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
					text, err = io.ReadAll(z)
				}
			}
			if err != nil || bytes.Contains(text, []byte(has)) {
				break
			}
		}
		if err != nil || !bytes.Contains(text, []byte(has)) {
			t.Errorf("%s: %v, %d bytes without %s", name, err, len(text), has)
		}
		if strings.HasSuffix(name, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON", name)
		}
	}
}

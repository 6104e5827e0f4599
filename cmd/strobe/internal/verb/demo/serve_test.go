// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A page is a writer for the output of a demonstration. It calls visit with the address of the live page when that is printed.
type page struct {
	bytes.Buffer
	once  sync.Once
	visit func(url string)
}

func (p *page) Write(text []byte) (int, error) {
	p.Buffer.Write(text)
	if line, _, ok := strings.Cut(p.String(), "\n"); ok {
		p.once.Do(func() { go p.visit(strings.TrimPrefix(line, "Live page: ")) })
	}
	return len(text), nil
}

func get(t *testing.T, url string) string {
	resp, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", url, resp.Status, err)
	}
	return string(text)
}

func TestThePageIsServedWhileTheDemonstrationRuns(t *testing.T) {
	if !zones.Enabled {
		t.Skip("this build measures nothing that a page could show")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	url := ""
	out := &page{visit: func(u string) {
		defer cancel()
		url = u
		if text := get(t, u); !strings.Contains(text, "<html") {
			t.Errorf("no page: %.200s", text)
		}
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			text := get(t, u+"snapshot.json")
			if strings.Contains(text, `"ticker lateness µs"`) && strings.Contains(text, `"neighbours"`) {
				return
			}
			if time.Now().After(end) {
				t.Errorf("no lateness of ticks in %.2000s", text)
				return
			}
		}
	}}
	var e bytes.Buffer
	code := cli.Run(ctx, verbs(), []string{"demo", "--for=0", "--boids=50", "--http=127.0.0.1:0"}, strings.NewReader(""), out, &e)
	if code != session.Interrupted || e.Len() != 0 || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("exit %d, %q, at %q", code, e.String(), url)
	}
	if resp, err := http.Get(url); err == nil {
		resp.Body.Close()
		t.Error("it still listens")
	}
}

func TestADemonstrationThatCannotListenSaysSoAndGoesOn(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("cannot listen: ", err)
	}
	defer taken.Close()
	out, errout, code := clitest.Run(t, verbs()[0], "", "demo", "--for=50ms", "--boids=50", "--http", taken.Addr().String())
	if code != session.Done || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, "no live page: ") || !strings.Contains(out, "neighbours") || strings.Contains(out, "Live page") {
		t.Errorf("exit %d, %q, %q", code, errout, out)
	}
}

func TestWithoutAnAddressTheNextFreePortIsTaken(t *testing.T) {
	var taken net.Listener
	for end := time.Now().Add(time.Minute); taken == nil; time.Sleep(20 * time.Millisecond) { // tests of another program may have the port
		var err error
		if taken, err = net.Listen("tcp", "127.0.0.1:6061"); err != nil && time.Now().After(end) {
			t.Skip("another program listens there: ", err)
		}
	}
	defer taken.Close()
	out, errout, code := clitest.Run(t, verbs()[0], "", "demo", "--for=50ms", "--boids=50")
	if code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	if errout != "" {
		for port := 6062; port <= 6070; port++ {
			if free, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
				free.Close()
				t.Fatalf("port %d is free: %s", port, errout)
			}
		}
		t.Skip("all ports are taken: ", errout)
	}
	first, _, _ := strings.Cut(out, "\n")
	if !strings.HasPrefix(first, "Live page: http://127.0.0.1:60") || strings.Contains(first, ":6061") {
		t.Errorf("%q", first)
	}
}

func TestTheAddressIsNotInTheJSON(t *testing.T) {
	out, errout, code := clitest.Run(t, verbs()[0], "", "demo", "--for=50ms", "--boids=50", "--json", "--http=127.0.0.1:0")
	if code != session.Done || errout != "" || !strings.HasPrefix(out, "{") {
		t.Errorf("exit %d, %q, %.100q", code, errout, out)
	}
}

func TestTheBrowserIsOpened(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("the browser is not opened by a program that a script could stand for")
	}
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho \"$1\" >"+opened+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, errout, code := clitest.Run(t, verbs()[0], "", "demo", "--for=50ms", "--boids=50", "--http=127.0.0.1:0", "--open")
	first, _, _ := strings.Cut(out, "\n")
	var text []byte
	for end := time.Now().Add(time.Minute); len(text) == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, _ = os.ReadFile(opened)
	}
	if code != session.Done || errout != "" || "Live page: "+string(text) != first+"\n" {
		t.Errorf("exit %d, %q: opened %q, printed %q", code, errout, text, first)
	}
	t.Setenv("PATH", t.TempDir())
	_, errout, code = clitest.Run(t, verbs()[0], "", "demo", "--for=50ms", "--boids=50", "--http=127.0.0.1:0", "--open")
	if code != session.Done || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, "cannot open the browser") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

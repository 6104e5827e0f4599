// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var all = flag.Bool("all", false, "run the command for Windows in Wine")

// The tests of the timer period are of package pace.
func TestTheTimerPeriodIsGivenBackInWine(t *testing.T) {
	if !*all {
		t.Skip("tests run in Wine by go test -all; ./check wine does it")
	}
	self := filepath.Join(t.TempDir(), "pace.exe")
	build := exec.Command("go", "test", "-c", "-o", self, ".")
	build.Dir, build.Env = "../../../pace", append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out bytes.Buffer
	code, err := run([]string{self, "-test.v", "-test.run=TheTimerPeriodIsGivenBack"}, strings.NewReader(""), &out)
	if err != nil || code != 0 || strings.Count(out.String(), "--- PASS: TestTheTimerPeriodIsGivenBack") != 2 {
		t.Errorf("exit %d, %v\n%s", code, err, &out)
	}
}

// What Wine cannot show is not claimed: it passes most questions on to the system below.
func TestTheCommandWorksInWine(t *testing.T) {
	if !*all {
		t.Skip("the command runs in Wine by go test -all; ./check wine does it")
	}
	self := filepath.Join(t.TempDir(), "strobe.exe")
	build := exec.Command("go", "build", "-ldflags=-w", "-o", self, ".")
	build.Dir, build.Env = "../../../cmd/strobe", append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args, stdin string
		want        []string
		code        int
	}{
		{"stat -", strings.Repeat("1\n2\n3\n", 20), []string{"mean"}, 0},
		{"demo --for=2s --http=off", "", []string{"tick", "census"}, 0},
		{"probe --bundle=machine.json", "", []string{"QueryPerformanceCounter", "Sleep", "Look through it"}, 0},
		{"gate HEAD", "", []string{"git"}, 2},
		{"nonsense", "", []string{"nonsense"}, 2},
	} {
		var out bytes.Buffer
		code, err := run(append([]string{self}, strings.Fields(c.args)...), strings.NewReader(c.stdin), &out)
		if err != nil || code != c.code {
			t.Errorf("%s: exit %d, want %d, %v\n%s", c.args, code, c.code, err, &out)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, &out)
			}
		}
		t.Logf("strobe %s\n%s", c.args, &out)
	}
	watch(t, self)
	bundle, err := os.ReadFile("machine.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"value": "coarsest`, `"name": "Wine"`, `"name": "version"`, `"interrupted": false`} {
		if !strings.Contains(string(bundle), want) {
			t.Errorf("no %s in\n%s", want, bundle)
		}
	}
	name, err := os.Hostname()
	if err != nil || regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).Match(bundle) {
		t.Errorf("%v, or the host %s is in\n%s", err, name, bundle)
	}
}

// watch lets strobe top watch strobe demo: both run in Wine.
func watch(t *testing.T, self string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	listener.Close()
	ended := make(chan error, 1)
	go func() {
		code, err := run([]string{self, "demo", "--for=40s", "--http=" + at}, strings.NewReader(""), io.Discard)
		if err == nil && code != 0 {
			err = fmt.Errorf("exit %d", code)
		}
		ended <- err
	}()
	var out bytes.Buffer
	code := -1
	for try := 0; try < 20 && code != 0; try++ { // it takes Wine some time to start
		time.Sleep(time.Second)
		out.Reset()
		if code, err = run([]string{self, "top", "--once", at}, strings.NewReader(""), &out); err != nil {
			t.Fatal(err)
		}
	}
	if text := out.String(); code != 0 || !strings.Contains(text, "tick") || !strings.Contains(text, "frames/s") {
		t.Errorf("top: exit %d\n%s", code, text)
	}
	t.Logf("strobe top --once\n%s", &out)
	if err := <-ended; err != nil {
		t.Errorf("demo: %v", err)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	bundle, err := os.ReadFile("machine.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"value": "coarsest`, `"name": "Wine"`, `"name": "version"`, `"interrupted": false`} {
		if !strings.Contains(string(bundle), want) {
			t.Errorf("no %s in\n%s", want, bundle)
		}
	}
	if name, err := os.Hostname(); err != nil || strings.Contains(string(bundle), name) {
		t.Errorf("%v, or the host %s is in\n%s", err, name, bundle)
	}
}

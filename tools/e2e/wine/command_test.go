// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// needNoGo are the command's packages whose tests need neither the go command nor git.
var needNoGo = strings.Fields("benchtext command flags host kept layout markup session verb/capture verb/compare verb/demo/... verb/frames/... " +
	"verb/guide verb/open verb/probe verb/stat/... verb/top/... verb/trace")

// cannot are tests that fail in Wine, with the reasons.
var cannot = map[string]string{
	"TestALinkStaysALink":           "links are files there",
	"TestFramesFitsANarrowTerminal": "the name of a temporary file is too long for the terminal",
	"TestTheTwoErrorsOfAGate":       "it cannot remove its folder, and what it logs cannot be told from an error",
}

// logged are what tests log there, which go test does not tell from errors: they begin a line, after its place.
var logged = []string{": [the kernel's records of switches are missing", ": readsPipe: not on this system"}

// explain are package capture and what of it differs between systems.
const explain = "./capture ./internal/account ./internal/goroutine ./internal/gotrace ./internal/pressure"

func TestTheCommandsTestsPassInWine(t *testing.T) {
	var packages []string
	for _, p := range needNoGo {
		packages = append(packages, "./internal/"+p)
	}
	testInWine(t, "../../../cmd/strobe", packages, 250)
}

func TestCapturesTestsPassInWine(t *testing.T) {
	testInWine(t, "../../..", strings.Fields(explain), 150)
}

// testInWine runs the tests of some packages. Wine 8 cannot delete a file that is open, as package os asks Windows to: that tests cannot
// remove their folder is not their failure.
func testInWine(t *testing.T, dir string, packages []string, atLeast int) {
	if !*all {
		t.Skip("it runs by go test -all; ./check wine does it")
	}
	runner := filepath.Join(t.TempDir(), "wine")
	if out, err := exec.Command("go", "build", "-o", runner, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command("go", append([]string{"test", "-json", "-short", "-count=1", "-vet=off", "-exec", runner}, packages...)...)
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"), os.Stderr
	out, err := c.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	type test struct{ Package, Test string }
	said, passed, failed := map[test]string{}, 0, map[test]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var e struct {
			test
			Action, Output string
		}
		if err := d.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Action == "output":
			said[e.test] += e.Output
		case e.Action == "build-output" || e.Action == "build-fail":
			t.Errorf("%s", e.Output)
		case e.Test == "":
		case e.Action == "pass":
			passed++
		case e.Action == "fail":
			failed[e.test] = true
		}
	}
	cleanups := 0
	for f := range failed {
		name, _, _ := strings.Cut(f.Test, "/")
		own := ""
		for line := range strings.Lines(said[f]) {
			if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- ") && !strings.Contains(text, "TempDir RemoveAll cleanup: ") &&
				!slices.ContainsFunc(logged, func(l string) bool { return strings.Contains(text, l) }) {
				own += line
			}
		}
		switch {
		case cannot[name] != "":
			t.Logf("%s fails in Wine: %s", f.Test, cannot[name])
		case own == "":
			cleanups++
		default:
			t.Errorf("%s %s\n%s", f.Package, f.Test, own)
		}
	}
	t.Logf("%d tests passed, and %d but for removing their folder", passed, cleanups)
	if passed < atLeast {
		t.Errorf("only %d tests passed", passed)
	}
}

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

// Wine 8 cannot delete a file that is open, as package os asks Windows to: that tests cannot remove their folder is not their failure.
func TestTheCommandsTestsPassInWine(t *testing.T) {
	if !*all {
		t.Skip("the command's tests run in Wine by go test -all; ./check wine does it")
	}
	runner := filepath.Join(t.TempDir(), "wine")
	if out, err := exec.Command("go", "build", "-o", runner, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"test", "-json", "-short", "-count=1", "-vet=off", "-exec", runner}
	for _, p := range needNoGo {
		args = append(args, "./internal/"+p)
	}
	c := exec.Command("go", args...)
	c.Dir, c.Env, c.Stderr = "../../../cmd/strobe", append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"), os.Stderr
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
			if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- ") && !strings.Contains(text, "TempDir RemoveAll cleanup: ") {
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
	if passed < 250 {
		t.Errorf("only %d tests passed", passed)
	}
}

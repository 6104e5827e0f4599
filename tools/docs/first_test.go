// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestTheFirstProgramMeasuresWork runs the first program in README.md. If the compiler removed its work, the zones would measure
// little more than the cost of a span.
func TestTheFirstProgramMeasuresWork(t *testing.T) {
	if os.Getenv(nested) != "" {
		t.Skip("a document is running this test")
	}
	program := filepath.Join(t.TempDir(), "first.exe")
	build := exec.Command("go", "build", "-o", program, "./first")
	build.Dir, build.Env = filepath.Join(root, "examples"), append(os.Environ(), "GOWORK=auto")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cost := firstDuration(t, out, `a span costs (\S+ \S+),`)
	for _, zone := range []string{"fill", "sum"} {
		p99 := firstDuration(t, out, `(?m) `+zone+` .* (\d[\d.]* [µnm]?s)(?:  open)?$`)
		if p99 < 100*cost {
			t.Errorf("calls of %s took up to %v, and a span costs %v: was the work removed?\n%s", zone, p99, cost, out)
		}
	}
}

// firstDuration returns the duration that the groups of expr match first.
func firstDuration(t *testing.T, text []byte, expr string) time.Duration {
	t.Helper()
	found := regexp.MustCompile(expr).FindSubmatch(text)
	if found == nil {
		t.Fatalf("nothing matches %s:\n%s", expr, text)
	}
	d, err := time.ParseDuration(string(bytes.ReplaceAll(bytes.Join(found[1:], nil), []byte(" "), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestTheFirstProgramIsShort counts its lines, including imports: one should see at a glance what it does.
func TestTheFirstProgramIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "examples", "first", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			n++
		}
	}
	if n > 30 {
		t.Errorf("the first program has %d lines, more than 30", n)
	}
}

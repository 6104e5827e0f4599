// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// testFile returns the uncompressed content of a file in testdata.
func testFile(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// captures reads a file in testdata, which must not be damaged.
func captures(t testing.TB, name string, o ReadOptions) []Capture {
	t.Helper()
	o.File = strings.TrimSuffix(filepath.Base(name), ".gz")
	cs, err := Read(bytes.NewReader(testFile(t, name)), o)
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

// captureOf returns the first capture of a process.
func captureOf(t testing.TB, name, process string, o ReadOptions) Capture {
	t.Helper()
	for _, c := range captures(t, name, o) {
		if c.Process == process {
			return c
		}
	}
	t.Fatalf("%s has no process %s", name, process)
	return Capture{}
}

func realFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.gz"))
	if err != nil || len(paths) < 14 {
		t.Fatalf("only %d captures in testdata (%v)", len(paths), err)
	}
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

// scan reads the numbers in a text that begins with format.
func scan(t testing.TB, text, format string, into ...any) {
	t.Helper()
	if _, err := fmt.Sscanf(text, format, into...); err != nil {
		t.Fatalf("%q is not of the form %q: %v", text, format, err)
	}
}

// within reports whether a and b differ by at most a share of b.
func within(a, b, share float64) bool { return math.Abs(a-b) <= share*math.Abs(b) }

// holds reports whether the interval or the bound of a figure contains the true value.
func holds(m Metric, truth float64) bool {
	if m.Interval.Bounded() {
		return m.Interval.Lo <= truth && truth <= m.Interval.Hi
	}
	return atMost(m.Interval) && truth <= m.Interval.Hi
}

// arithmetic skips a test under the race detector.
func arithmetic(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("arithmetic: other tests of the package run the same goroutines under the race detector")
	}
}

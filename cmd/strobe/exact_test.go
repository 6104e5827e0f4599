// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
)

// A benchmark that allocates and fills maps, whose seeds are random, counts the same in two runs. Its package reads a file
// elsewhere in the module.
func TestTwoRunsOfExactCountTheSame(t *testing.T) {
	long.Only(t) // step emulated counts the same program twice, too
	self, dir := binary(t), t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.24\n",
		"testdata/in": "hello",
		"q/q_test.go": "package q\n\nimport \"testing\"\n\nfunc BenchmarkSilent(b *testing.B) { b.ReportMetric(0, \"ns/op\") }\n",
		"p/p_test.go": `package p

import (
	"os"
	"testing"
)

var sink any

func BenchmarkFill(b *testing.B) {
	text, err := os.ReadFile("../testdata/in")
	if err != nil {
		b.Skip(err)
	}
	for range b.N {
		m := map[string][]byte{}
		for i := range 50 {
			m[string(text)+string(rune('a'+i))] = make([]byte, 10*i)
		}
		sink = m
	}
}
`} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	result := regexp.MustCompile(`Unit instructions/op better=lower assume=exact\nBenchmarkFill\S*\s+300\s+(\d+) instructions/op`)
	var counts []string
	for exit, packages := range map[int][]string{0: {"./p"}, 4: {"./p", "./q"}} { // q prints what a benchmark prints that panics late
		cmd := exec.CommandContext(t.Context(), self, append([]string{"exact", "test", "-run=^$", "-bench=.", "-benchtime=300x"}, packages...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() == 2 {
			t.Skipf("%s", out) // the output says what is missing, QEMU or a kernel, and where to get it
		}
		found := result.FindSubmatch(out)
		if cmd.ProcessState.ExitCode() != exit || found == nil || exit == 4 && !bytes.Contains(out, []byte("BenchmarkSilent reports no figure")) {
			t.Fatalf("%v: %s", err, out)
		}
		counts = append(counts, string(found[1]))
	}
	if counts[0] != counts[1] {
		t.Errorf("%v", counts)
	}
	t.Logf("%s instructions in both", counts[0])
}

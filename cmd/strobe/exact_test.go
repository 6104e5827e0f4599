// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// A benchmark that allocates and fills maps, whose seeds are random, counts the same in two runs. Its package reads a file
// elsewhere in the module.
func TestTwoRunsOfExactCountTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an emulated machine twice")
	}
	self, dir := binary(t), t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.24\n",
		"testdata/in": "hello",
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
	for range 2 {
		cmd := exec.CommandContext(t.Context(), self, "exact", "test", "./p", "-run=^$", "-bench=.", "-benchtime=300x")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() == 2 {
			t.Skipf("%s", out) // the output says what is missing, QEMU or a kernel, and where to get it
		}
		found := result.FindSubmatch(out)
		if err != nil || found == nil {
			t.Fatalf("%v: %s", err, out)
		}
		counts = append(counts, string(found[1]))
	}
	broken := filepath.Join(dir, "q", "q_test.go")
	os.Mkdir(filepath.Dir(broken), 0o777)
	if err := os.WriteFile(broken, []byte("package q\n\nimport \"testing\"\n\nfunc BenchmarkSilent(b *testing.B) { b.ReportMetric(0, \"ns/op\") }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "exact", "test", "./q", "-run=^$", "-bench=.", "-benchtime=1x") // prints what a benchmark prints that panics late
	cmd.Dir = dir
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 4 || !bytes.Contains(out, []byte("BenchmarkSilent reports no figure")) {
		t.Errorf("%v: %s", cmd.ProcessState, out)
	}
	if counts[0] != counts[1] {
		t.Errorf("%v", counts)
	}
	t.Logf("%s instructions in both", counts[0])
}

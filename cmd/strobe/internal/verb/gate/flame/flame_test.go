// SPDX-License-Identifier: BSD-3-Clause

package flame

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
)

// hostile is the name of a function that would like to be part of the page.
const hostile = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`

func node(name string, base, latest, half float64, children ...*profdiff.Node) *profdiff.Node {
	return &profdiff.Node{Name: name, Cost: [2]float64{base, latest}, Bounds: &[2]float64{latest - base - half, latest - base + half}, Children: children}
}

// made is a page in which one function costs more, one less, one the same, one is new and one is gone.
func made() Page {
	tree := node("all", 1000, 1500, 20,
		node("example.com/module/codec.BenchmarkDecode", 980, 1490, 25,
			node("example.com/module/codec.(*Reader).Decode", 880, 1390, 40,
				node("example.com/module/codec.(*Reader).Gone", 100, 0, 30),
				node("example.com/module/codec.checksum", 300, 880, 80, node("hash/crc32.Update", 280, 850, 80)),
				node("example.com/module/codec.header", 380, 170, 60),
				node("fmt.Sprintf", 0, 240, 60, node(hostile, 0, 60, 70))),
			node("strings.Fields", 100, 100, 50)),
		node("runtime.gcBgMarkWorker", 20, 10, 15))
	return Page{Title: "codec.Decode", Base: "9f2e70dd9de9, the merge base of HEAD and main", New: "the working tree", Version: "v",
		Sentence: "codec.Decode costs +50 % against the base: more than the allowed +5 %; since codec.checksum: +580 ± 80 ns, of +500 ns a call", Effort: "The profiles are of 8 runs",
		Tree: tree, Tables: []Table{{Title: "Functions whose time changed", Titles: []string{"function", "base", "new", "own time of a call", "with what it calls"},
			Rows: [][]string{{"codec.checksum", "300 ns", "880 ns", "+580 ± 80 ns", ""}, {hostile, "0 ns", "60 ns", "+60 ± 70 ns", ""}}}}}
}

// The test of the page in a browser, in tools/e2e/pages, reads it from the file that this variable names.
func TestThePageHasItsTreeAndTables(t *testing.T) {
	var b strings.Builder
	var w io.Writer = &b
	if name := os.Getenv("STROBE_FLAME"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w = io.MultiWriter(&b, f)
	}
	if err := Write(w, made()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>What made codec.Decode slower</h1>", "580 ± 80 ns", "<h2>Functions whose time changed</h2>", `"name":"hash/crc32.Update"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(b.String(), "<img") || strings.Count(b.String(), "<script") != 2 {
		t.Error("the name of a function is part of the page")
	}
}

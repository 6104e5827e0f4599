// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"path/filepath"
	"strings"
	"testing"
)

// A benchmark counts as rewritten if anything that it uses in the test files has changed.
func TestARewrittenBenchmarkIsKnown(t *testing.T) {
	const code = "package p\n\nimport \"testing\"\n\nconst size = 10\n\ntype set []int\n\nfunc (s set) fill() set { return s }\n\nfunc data() set { return make(set, size).fill() }\n\n" +
		"func BenchmarkUses(b *testing.B) { data() }\n\nfunc BenchmarkOther(b *testing.B) {}\n"
	dir := t.TempDir()
	read := func(name, text string) testCode {
		file := filepath.Join(dir, name)
		edit(t, files{file: text})
		return readTestCode([]string{file, filepath.Join(dir, "missing")})
	}
	for name, c := range map[string]struct {
		text        string
		uses, other bool
	}{
		"moved":    {replaceOnce(t, code, "const size = 10\n\n", "") + "\nconst size = 10\n", false, false},
		"constant": {replaceOnce(t, code, "size = 10", "size = 11"), true, false},
		"method":   {replaceOnce(t, code, "return s }", "return s[:1] }"), true, false},
		"helper":   {replaceOnce(t, code, "make(set, size)", "make(set, 2*size)"), true, false},
		"other":    {replaceOnce(t, code, "Other(b *testing.B) {}", "Other(b *testing.B) { b.N++ }"), false, true},
		"gone":     {replaceOnce(t, code, "func BenchmarkOther(b *testing.B) {}", ""), false, true},
		"no Go":    {"package", true, true},
	} {
		p := pkg{tests: [2]testCode{read("old.go", code), read("new.go", c.text)}}
		if uses, other := p.rewritten("Uses"), p.rewritten("Other"); uses != c.uses || other != c.other {
			t.Errorf("%s: %t, %t", name, uses, other)
		}
	}
}

func replaceOnce(t *testing.T, text, old, by string) string {
	t.Helper()
	before, after, ok := strings.Cut(text, old)
	if !ok {
		t.Fatalf("%q is not in %q", old, text)
	}
	return before + by + after
}

// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const requestSize = 20 // benchmarks

// requestName returns the name of a benchmark; "" for a negative number.
func requestName(i int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("Part%02d", i)
}

// requestText returns a package of twenty benchmarks of four kinds. The benchmark number slow takes five percent longer.
func requestText(slow int, more string) string {
	var t strings.Builder
	t.WriteString(`package request

import (
	"crypto/sha256"
	"maps"
	"slices"
	"testing"
)

var sink int

func mix(n int) {
	x := uint64(n)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink += int(x)
}

func sum(n int) {
	h := sha256.Sum256(make([]byte, 8*n))
	sink += int(h[0])
}

func sorted(n int) {
	x, all := uint32(n), make([]uint32, n/32)
	for i := range all {
		x = x*1664525 + 1013904223
		all[i] = x
	}
	slices.Sort(all)
	sink += int(all[0])
}

func table(n int) {
	m := map[int]int{}
	for i := range n / 64 {
		m[i*i] = i
	}
	sink += len(slices.Collect(maps.Keys(m)))
}
`)
	t.WriteString(more)
	for i := range requestSize {
		n := 1600 << (i / 4)
		if i == slow {
			n += n / 20
		}
		fmt.Fprintf(&t, "\nfunc Benchmark%s(b *testing.B) {\n\tfor b.Loop() {\n\t\t%s(%d)\n\t}\n}\n", requestName(i),
			[]string{"mix", "sorted", "sum", "table"}[i%4], n)
	}
	return t.String()
}

// newRequest makes a repository with two commits. The second has one more function, which moves the others, and if slow >= 0 one
// slower benchmark.
func newRequest(b *testing.B, slow int) string {
	b.Helper()
	dir := b.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=strobe", "-c", "user.email=strobe@localhost"}, args...)...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %s: %v\n%s", args[0], err, text)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	git("init", "-q")
	write("go.mod", "module request\n\ngo 1.24\n")
	write("request_test.go", requestText(-1, ""))
	git("add", ".")
	git("commit", "-qm", "one")
	write("request_test.go", requestText(slow, "\nvar Kept = func(s string) string { return s + \"!\" }\n"))
	git("commit", "-qam", "two")
	return dir
}

// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
)

// reads reports whether the benchmarks of a package, whose program is the same on both sides, may read one of the changed files:
// any but Go files in its folder, in one called testdata, or which they open. What is read before main begins, outside these
// folders, is not noticed.
func (m *measurement) reads(ctx context.Context, pk *pkg, changed []string) bool {
	below, err := filepath.Rel(m.checkout.Top, pk.dirs[newSide])
	if err != nil {
		return true
	}
	below = filepath.ToSlash(below) + "/"
	var elsewhere []string
	for _, file := range changed {
		inFolder := below == "./" || strings.HasPrefix(file, below)
		if strings.Contains("/"+file, "/testdata/") || inFolder && !strings.HasSuffix(file, ".go") {
			return true
		}
		if !strings.HasSuffix(file, ".go") {
			elsewhere = append(elsewhere, file)
		}
	}
	if len(elsewhere) == 0 {
		return false
	}
	opened, ok := m.opened(ctx, pk)
	return !ok || slices.ContainsFunc(elsewhere, func(file string) bool {
		file = filepath.Join(m.checkout.Top, filepath.FromSlash(file))
		return slices.ContainsFunc(opened, func(name string) bool { return worktree.Inside(name, file) })
	})
}

// opened returns the files and folders that the benchmarks of a package look at, by the log that the go command also uses to know
// whether a test must run again. ok is false if that cannot be had.
func (m *measurement) opened(ctx context.Context, pk *pkg) (names []string, ok bool) {
	if pk.machine != nil {
		return nil, false
	}
	log := filepath.Join(m.temp, "opened")
	defer os.Remove(log)
	program := process{binary: pk.binaries[newSide][0], dir: pk.dirs[newSide], pattern: m.pattern.String(), iterations: 1, blocks: 1, timeout: m.flags.timeout(),
		more: []string{"-test.testlogfile=" + log}}
	if _, err := program.exec(ctx); err != nil {
		return nil, false
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, false
	}
	dir := pk.dirs[newSide]
	for line := range strings.Lines(string(text)) {
		what, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if what != "open" && what != "stat" && what != "chdir" {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if what == "chdir" {
			dir = name
			continue
		}
		if info, err := os.Stat(name); what == "stat" && err == nil && info.IsDir() { // says nothing of what is in it
			continue
		}
		names = append(names, name)
	}
	return names, true
}

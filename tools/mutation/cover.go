// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A test is one test function of a package and the code that it runs.
type test struct {
	pkg    *goPackage
	name   string
	took   time.Duration
	blocks []block
}

// A block is a range in a file, identified by its base name, and whether the test runs it.
type block struct {
	file     string
	from, to place
	run      bool
}

func (b block) contains(p place) bool {
	return (p.line > b.from.line || p.line == b.from.line && p.column >= b.from.column) &&
		(p.line < b.to.line || p.line == b.to.line && p.column <= b.to.column)
}

// runs reports whether a test runs the code that a mutant changes. The condition of a case is not in any block: then it is
// enough that the test runs the function.
func (t *test) runs(m *mutant) bool {
	in := func(p place) (known, run bool) {
		for _, b := range t.blocks {
			if b.file == filepath.Base(m.file) && b.contains(p) {
				known, run = true, run || b.run
			}
		}
		return known, run
	}
	known, run := in(m.at)
	if !known {
		_, run = in(m.body)
	}
	return run
}

// cover runs every test of a target alone and records its duration and the code that it runs, quickest first. A test that
// fails alone is an error: it would seem to detect every mutant.
func (t *target) cover(ctx context.Context, dir string, workers int) ([]*test, error) {
	var tests []*test
	for i := range t.tests {
		pkg := &t.tests[i]
		binary := filepath.Join(dir, fmt.Sprintf("cover%d.test", i))
		if _, err := goCommand(ctx, "", "test", "-c", "-vet=off", "-cover", "-coverpkg="+t.pkg.ImportPath, "-o", binary, pkg.ImportPath); err != nil {
			return nil, err
		}
		out, err := output(ctx, pkg.Dir, time.Minute, binary, "-test.list=.")
		if err != nil {
			return nil, err
		}
		var mine []*test
		for _, name := range strings.Fields(string(out)) {
			if !strings.HasPrefix(name, "Benchmark") && (t.skip == nil || !t.skip.MatchString(name)) {
				mine = append(mine, &test{pkg: pkg, name: name})
			}
		}
		if err := each(workers, mine, func(test *test) error {
			profile := filepath.Join(dir, test.name+".cover")
			start := time.Now()
			out, err := output(ctx, pkg.Dir, 10*time.Minute, binary, fmt.Sprintf("-test.short=%v", t.short), "-test.run=^"+test.name+"$", "-test.coverprofile="+profile)
			if err != nil {
				return fmt.Errorf("%s fails alone, without any change: %w\n%s", test.name, err, out)
			}
			test.took = time.Since(start)
			test.blocks, err = readProfile(profile, t.pkg.ImportPath)
			return err
		}); err != nil {
			return nil, err
		}
		tests = append(tests, mine...)
	}
	slices.SortFunc(tests, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	return tests, nil
}

// readProfile returns the blocks of a package in a coverage profile.
func readProfile(name, importPath string) ([]block, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var blocks []block
	for lines := bufio.NewScanner(f); lines.Scan(); {
		file, rest, ok := strings.Cut(lines.Text(), ":")
		if !ok || path.Dir(file) != importPath {
			continue
		}
		b := block{file: path.Base(file)}
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from.line, &b.from.column, &b.to.line, &b.to.column,
			&statements, &count); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, rest, err)
		}
		b.run = count > 0
		blocks = append(blocks, b)
	}
	return blocks, nil
}

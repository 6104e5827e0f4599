// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"path/filepath"
	"slices"
	"strings"
)

// checkImports compares what the packages of one platform import with their lines.
func (c *checker) checkImports(platform string, packages map[string]*listed) {
	for _, path := range sortedKeys(packages) {
		p := packages[path]
		if p.DepOnly {
			continue
		}
		name, _ := c.tree.name(path)
		where := c.tree.rel(p.Dir)
		if p.Error != nil {
			c.report(where, "load", "on %s: %s", platform, p.Error.Err)
		}
		may, key, ok := line(c.policy.Imports, name)
		if !ok {
			c.report(where, "no line", "%s has no line under imports in policy.txt", name)
			continue
		}
		for _, imp := range p.Imports {
			if c.mayImport(name, key, imp, may) {
				continue
			}
			short, _ := c.tree.name(imp)
			c.report(c.importer(p.Dir, imp, false), "import", "%s must not import %s; its line allows: %s",
				name, short, strings.Join(may, " "))
		}
		tests := slices.Concat(may, everyoneAnd(c.policy.Tests, name))
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if imp == path || c.tree.std(imp) || c.mayImport(name, key, imp, tests) {
				continue
			}
			short, _ := c.tree.name(imp)
			c.report(c.importer(p.Dir, imp, true), "test import", "the tests of %s must not import %s", name, short)
		}
	}
}

// mayImport applies one line of the policy to one import. key is the key of the line.
func (c *checker) mayImport(name, key, path string, may []string) bool {
	imp, ours := c.tree.name(path)
	switch {
	case ours:
		return covers(may, imp) || strings.HasSuffix(key, "/...") && covers([]string{key}, imp)
	case c.tree.std(path):
		return !slices.Contains(c.policy.Heavy, path) || slices.Contains(may, path) || slices.Contains(may, "*")
	}
	return coversModule(may, path)
}

// importer finds a file in dir that imports path; it returns dir itself if there is none.
func (c *checker) importer(dir, path string, test bool) string {
	dir = c.tree.rel(dir)
	for _, f := range c.tree.files {
		if f.dir == dir && f.test == test && slices.Contains(f.imports(), path) {
			return f.path
		}
	}
	return dir
}

// checkWeight follows the core's imports transitively: they may only lead to the standard library and the modules in `links`,
// and to none in `never`.
func (c *checker) checkWeight(platform string, packages map[string]*listed) {
	goos, _, _ := strings.Cut(platform, "/")
	var links []string
	for _, word := range c.policy.Links {
		if module, only, ok := strings.Cut(word, "@"); !ok || only == goos {
			links = append(links, module)
		}
	}
	for _, path := range sortedKeys(packages) {
		p := packages[path]
		name, ours := c.tree.name(path)
		if !ours || !covers(c.policy.Core, name) {
			continue
		}
		for _, chain := range chains(packages, path) {
			last := chain[len(chain)-1]
			_, mine := c.tree.name(last)
			switch {
			case slices.Contains(c.policy.Never, last):
			case mine || c.tree.std(last) || coversModule(links, last):
				continue
			}
			c.report(c.tree.rel(p.Dir), "weight", "links %s on %s: %s", last, goos, strings.Join(chain, " -> "))
		}
	}
}

// chains returns, for every package reachable from start, a shortest path to it.
func chains(packages map[string]*listed, start string) [][]string {
	seen := map[string]bool{start: true}
	queue := [][]string{{start}}
	for i := 0; i < len(queue); i++ {
		p := packages[queue[i][len(queue[i])-1]]
		if p == nil {
			continue
		}
		for _, imp := range p.Imports {
			if !seen[imp] {
				seen[imp] = true
				queue = append(queue, append(slices.Clone(queue[i]), imp))
			}
		}
	}
	return queue[1:]
}

// name returns a package's name in the policy, and whether it belongs to this module.
func (t *tree) name(path string) (name string, ours bool) {
	if path == t.module {
		return filepath.Base(t.module), true
	}
	return strings.CutPrefix(path, t.module+"/")
}

// std reports whether a path belongs to the standard library: its first element has no dot.
func (t *tree) std(path string) bool {
	_, ours := t.name(path)
	first, _, _ := strings.Cut(path, "/")
	return !ours && !strings.Contains(first, ".")
}

// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Policy is the parsed policy.txt. The keys of the maps are package names.
type Policy struct {
	Layers       [][]string // lowest first
	Imports      map[string][]string
	Tests        map[string][]string
	Heavy        []string
	Core         []string
	Links        []string
	Never        []string
	Lines        int
	Initialisers map[string][]string
	State        []string
	Circles      []string
	Platforms    []string
}

// ParsePolicy parses a policy and rejects one that contradicts itself.
func ParsePolicy(text string) (*Policy, error) {
	p := &Policy{Imports: map[string][]string{}, Tests: map[string][]string{}, Initialisers: map[string][]string{}}
	maps := map[string]map[string][]string{"imports": p.Imports, "tests": p.Tests, "initialisers": p.Initialisers}
	lists := map[string]*[]string{"heavy": &p.Heavy, "core": &p.Core, "links": &p.Links, "never": &p.Never,
		"state": &p.State, "circles": &p.Circles, "platforms": &p.Platforms}
	numbers := map[string]*int{"lines": &p.Lines}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, rest, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("policy line %d: no colon: %q", i+1, line)
		}
		words := strings.Fields(rest)
		if strings.TrimLeft(line, " \t") != line {
			key = strings.TrimSpace(key)
			switch table := maps[section]; {
			case section == "layers":
				p.Layers = append(p.Layers, words)
			case table == nil:
				return nil, fmt.Errorf("policy line %d: an indented line under %q", i+1, section)
			case table[key] != nil:
				return nil, fmt.Errorf("policy line %d: a second line for %s", i+1, key)
			default:
				table[key] = append([]string{}, words...)
			}
			continue
		}
		section = key
		switch {
		case lists[key] != nil:
			*lists[key] = words
		case numbers[key] != nil:
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			if err != nil {
				return nil, fmt.Errorf("policy line %d: %s wants a number", i+1, key)
			}
			*numbers[key] = n
		case maps[key] == nil && key != "layers":
			return nil, fmt.Errorf("policy line %d: no such section: %s", i+1, key)
		}
	}
	return p, p.contradiction()
}

// contradiction finds a package without a layer and an import from a layer that is not below.
func (p *Policy) contradiction() error {
	for _, key := range sortedKeys(p.Imports) {
		own := p.layer(key)
		if own < 0 {
			return fmt.Errorf("policy: %s is in no layer", key)
		}
		for _, word := range p.Imports[key] {
			if at := p.layer(word); at >= own {
				return fmt.Errorf("policy: %s may not import %s: it is not in a layer below", key, word)
			}
		}
	}
	for _, layer := range p.Layers {
		for _, name := range layer {
			if _, ok := p.Imports[name]; !ok {
				return fmt.Errorf("policy: %s is in a layer but has no line under imports", name)
			}
		}
	}
	return nil
}

// layer returns the number of a package's layer; -1 if it is in none.
func (p *Policy) layer(name string) int {
	return slices.IndexFunc(p.Layers, func(layer []string) bool { return covers(layer, name) })
}

// line returns the words of the most specific line for a package.
func line(table map[string][]string, name string) (words []string, key string, ok bool) {
	for _, k := range sortedKeys(table) {
		if k != "*" && covers([]string{k}, name) && len(k) > len(key) {
			words, key, ok = table[k], k, true
		}
	}
	return words, key, ok
}

// everyoneAnd returns the words of a package's line and of the line for everyone.
func everyoneAnd(table map[string][]string, name string) []string {
	words, _, _ := line(table, name)
	return slices.Concat(table["*"], words)
}

// covers reports whether a word names the package: exactly, by "NAME/..." or by "*".
func covers(words []string, name string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		prefix, tree := strings.CutSuffix(word, "/...")
		return word == "*" || word == name || tree && (name == prefix || strings.HasPrefix(name, prefix+"/"))
	})
}

// coversModule is like covers, for third-party packages: the path of a module covers all of its packages.
func coversModule(words []string, path string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return word == "*" || word == path || strings.HasPrefix(path, word+"/")
	})
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A Violation is one breach of the policy.
type Violation struct {
	Where string // file or folder, relative to the root
	Rule  string // the rule's name
	What  string // what is wrong and what to do
}

// String returns "where: rule: what".
func (v Violation) String() string { return v.Where + ": " + v.Rule + ": " + v.What }

// A checker collects violations.
type checker struct {
	policy *Policy
	tree   *tree
	loader *loader
	found  []Violation
}

func (c *checker) report(where, rule, format string, args ...any) {
	c.found = append(c.found, Violation{where, rule, fmt.Sprintf(format, args...)})
}

// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// rulesName is the file of limits and waivers.
const rulesName = ".strobe-gate.toml"

// rules are the limits and waivers of a file. The zero value has none.
type rules struct {
	name    string // of the file, as reports call it
	dir     string // that it is in
	limits  []rule
	waivers []waiver
}

// A selection are the benchmarks that a rule is for.
type selection struct {
	line     int     // of the rule in its file; 0 if it is not known
	packages string  // as the go command takes them, below the folder of the file; empty for all
	bench    string  // as go test -bench takes it; empty for all
	pattern  pattern // of bench
}

// A rule has limits for some benchmarks.
type rule struct {
	selection
	bounds []bound
}

// A waiver allows a metric of some benchmarks to be worse than its limit, up to a ceiling and for a time.
type waiver struct {
	selection
	ceiling bound
	reason  string
	link    string
	expires time.Time // the last day
	fresh   string    // how it differs from what the base has; empty if it does not
}

// findRules returns the rules in a folder, or in one above it up to the top of the checkout or module.
func findRules(dir string) (rules, error) {
	for {
		file := filepath.Join(dir, rulesName)
		text, err := os.ReadFile(file)
		switch {
		case err == nil:
			r, err := parseRules(string(text), rulesName)
			if err != nil {
				return rules{}, err
			}
			r.dir = dir
			return r, nil
		case !errors.Is(err, os.ErrNotExist):
			return rules{}, err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			return rules{}, nil
		}
		dir = filepath.Dir(dir)
	}
}

// parseRules reads the text of a file. An error begins with the name and, where it is known, the line.
func parseRules(text, name string) (r rules, err error) {
	var file struct {
		Limit  []map[string]any `toml:"limit"`
		Waiver []struct {
			Package string    `toml:"package"`
			Bench   string    `toml:"bench"`
			Metric  string    `toml:"metric"`
			Ceiling any       `toml:"ceiling"`
			Reason  string    `toml:"reason"`
			Link    string    `toml:"link"`
			Expires time.Time `toml:"expires"`
		} `toml:"waiver"`
	}
	meta, err := toml.Decode(text, &file)
	if syntax := (toml.ParseError{}); errors.As(err, &syntax) {
		return r, at(name, syntax.Position.Line, "%s", syntax.Message)
	} else if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0]
		return r, at(name, lineOf(text, key[len(key)-1]), "unknown key %q; there are tables [[limit]] and [[waiver]], the latter with package, bench, metric, ceiling, reason, link and expires", key)
	}
	r.name = name
	lines := headers(text, "limit", len(file.Limit))
	for i, x := range file.Limit {
		l, err := readRule(x)
		if l.line = lines[i]; err != nil {
			return r, at(name, l.line, "limit: %w", err)
		}
		r.limits = append(r.limits, l)
	}
	lines = headers(text, "waiver", len(file.Waiver))
	for i, x := range file.Waiver {
		w := waiver{reason: x.Reason, link: x.Link, expires: x.Expires}
		err := w.read(x.Package, x.Bench)
		if err == nil {
			w.ceiling, err = readBound(x.Metric, x.Ceiling)
		}
		switch {
		case err != nil:
		case x.Metric == "" || x.Ceiling == nil:
			err = errors.New("metric and ceiling are missing, such as \"time\" and \"40%\"")
		case strings.TrimSpace(w.reason) == "":
			err = errors.New("the reason is missing")
		case w.expires.IsZero():
			err = errors.New("expires is missing: the last day on which it counts, such as 2030-12-31")
		}
		if w.line = lines[i]; err != nil {
			return r, at(name, w.line, "waiver: %w", err)
		}
		r.waivers = append(r.waivers, w)
	}
	return r, nil
}

// at returns an error at a line of a file.
func at(name string, line int, format string, args ...any) error {
	if line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	return fmt.Errorf(name+": "+format, args...)
}

// readRule reads a table of limits.
func readRule(table map[string]any) (l rule, err error) {
	var texts [2]string
	for i, key := range [2]string{"package", "bench"} {
		if v, ok := table[key]; ok {
			if texts[i], ok = v.(string); !ok {
				return l, fmt.Errorf("%s is not a string", key)
			}
			delete(table, key)
		}
	}
	if err := l.read(texts[0], texts[1]); err != nil {
		return l, err
	}
	for name, v := range table {
		b, err := readBound(name, v)
		if err != nil {
			return l, err
		}
		l.bounds = append(l.bounds, b)
	}
	if len(l.bounds) == 0 {
		return l, errors.New("it has no limit, such as time = \"10%\"")
	}
	slices.SortFunc(l.bounds, func(a, b bound) int { return strings.Compare(string(a.metric), string(b.metric)) })
	return l, nil
}

// readBound reads the limit of a metric: a percentage in a string, or a number that is a share.
func readBound(name string, v any) (b bound, err error) {
	if err := b.metric.UnmarshalText([]byte(name)); err != nil {
		return b, err
	}
	switch v := v.(type) {
	case string, int64, float64:
		return b, b.set(fmt.Sprint(v))
	case nil:
		return b, fmt.Errorf("%s has no limit, such as \"10%%\"", name)
	}
	return b, fmt.Errorf("%s is not a percentage, such as \"10%%\"", name)
}

// read sets which benchmarks are selected.
func (s *selection) read(packages, bench string) (err error) {
	if s.packages, s.bench = strings.TrimSuffix(packages, "/"), bench; strings.Contains(strings.TrimSuffix(packages, "..."), "...") {
		return fmt.Errorf("package %q: ... can only be at its end", packages)
	}
	if bench != "" {
		s.pattern, err = parsePattern(bench)
	}
	return err
}

// String says which benchmarks are selected.
func (s *selection) String() string {
	switch {
	case s.packages == "" && s.bench == "":
		return "all benchmarks"
	case s.packages == "":
		return s.bench
	case s.bench == "":
		return s.packages
	}
	return s.bench + " in " + s.packages
}

// has reports whether a benchmark is selected: one of a package of this import path, in this folder below that of the file.
func (s *selection) has(path, below, name string) bool {
	return s.hasPackage(path, below) && (s.bench == "" || s.pattern.matches(name))
}

// hasPackage reports whether a package is selected.
func (s *selection) hasPackage(path, below string) bool {
	if s.packages == "" || s.packages == "..." {
		return true
	}
	if all, ok := strings.CutSuffix(s.packages, "/..."); ok {
		return path == all || below == all || strings.HasPrefix(path, all+"/") || strings.HasPrefix(below, all+"/")
	}
	return s.packages == path || s.packages == below
}

// matches reports whether a benchmark, or one that it belongs to, has a name that the pattern describes in full.
func (p pattern) matches(name string) bool {
	elements := strings.Split("Benchmark"+name, "/")
	return slices.ContainsFunc(p, func(alternative []string) bool {
		if len(alternative) > len(elements) {
			return false
		}
		for i, e := range alternative {
			if ok, err := regexp.MatchString(e, elements[i]); err != nil || !ok {
				return false
			}
		}
		return true
	})
}

// headers returns the lines of the tables of an array, or zeros if these are written in another way.
func headers(text, name string, n int) []int {
	var lines []int
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		inner, ok := strings.CutPrefix(strings.TrimSpace(line), "[[")
		if inner, also := strings.CutSuffix(inner, "]]"); ok && also && strings.Trim(strings.TrimSpace(inner), `"'`) == name {
			lines = append(lines, i+1)
		}
	}
	if len(lines) != n {
		return make([]int, n)
	}
	return lines
}

// lineOf returns the first line that begins with a key, or is a table of that name, 0 if there is none.
func lineOf(text, key string) int {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), `["'`)
		if rest, ok := strings.CutPrefix(line, key); ok && (rest == "" || strings.ContainsRune(" \t=.]\"'", rune(rest[0]))) {
			return i + 1
		}
	}
	return 0
}

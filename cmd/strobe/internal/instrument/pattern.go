// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A pattern selects functions:
//
//	net/http                    the functions of a package
//	database/sql...             also those of the packages below it
//	./...                       those below the current folder
//	net/http.(*conn).serve      one function, by its full name
//	http.(*conn).serve          or as it is shown
//	main                        main packages
//	PKG exported                the exported functions of packages
//
// Three dots stand for any text. Only a pattern for exported functions, or for one function, includes those that the compiler inlines.
type pattern struct {
	text     string
	match    *regexp.Regexp
	exported bool
	used     bool
}

// patterns reads the patterns in texts, of which each may have several, separated by commas.
func patterns(texts []string, here string) ([]*pattern, error) {
	var all []*pattern
	for _, text := range texts {
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item == "" {
				continue
			}
			p := &pattern{text: item}
			name := item
			if before, after, ok := strings.Cut(item, " "); ok {
				if strings.TrimSpace(after) != "exported" {
					return nil, fmt.Errorf("%q: a pattern is a package or a function, and may be followed by the word exported only", item)
				}
				name, p.exported = before, true
			}
			if name == "." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
				if here == "" {
					return nil, fmt.Errorf("%q: the current folder is in no module", item)
				}
				name = path.Join(here, name)
			}
			quoted := regexp.QuoteMeta(name)
			if rest, ok := strings.CutSuffix(quoted, `/\.\.\.`); ok {
				quoted = rest + `(/.*)?`
			}
			var err error
			if p.match, err = regexp.Compile("^" + strings.ReplaceAll(quoted, `\.\.\.`, ".*") + "$"); err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// A wish says whether the user wants a zone.
type wish int

const (
	no     wish = iota
	yes         // unless it would cost more than it tells
	always      // in any case
)

// wishFor returns what a pattern says about a function of a package.
func (p *pattern) wishFor(l *listed, function string) wish {
	w := no
	switch {
	case p.match.MatchString(l.path()), l.Name == "main" && p.match.MatchString("main"):
		w = yes
	case p.match.MatchString(l.path() + "." + function), p.match.MatchString(show(l, function)):
		w = always
		if strings.Contains(p.text, "...") {
			w = yes
		}
	}
	if p.exported && w != no {
		if !exported(function) {
			return no
		}
		w = always
	}
	if w != no {
		p.used = true
	}
	return w
}

// exported reports whether a function, and the type of which it is a method, are.
func exported(function string) bool {
	for name := range strings.SplitSeq(strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(function), ".") {
		if !token.IsExported(name) {
			return false
		}
	}
	return true
}

// mayMatch reports whether a pattern may select functions of a package.
func (p *pattern) mayMatch(l *listed) bool {
	text := p.match.String()
	return p.match.MatchString(l.path()) || l.Name == "main" && p.match.MatchString("main") || strings.HasPrefix(text, "^"+regexp.QuoteMeta(l.path())) ||
		strings.HasPrefix(text, "^"+regexp.QuoteMeta(l.Name+".")) || strings.HasPrefix(text, "^.*")
}

// wishes are the patterns of a request.
type wishes struct{ zones, skip, units []*pattern }

func (r Request) wishes(here string) (w wishes, err error) {
	for _, of := range []struct {
		to    *[]*pattern
		texts []string
	}{{&w.zones, r.Zones}, {&w.skip, r.Skip}, {&w.units, r.Units}} {
		if *of.to, err = patterns(of.texts, here); err != nil {
			return w, err
		}
	}
	return w, nil
}

// unused returns an error if a pattern has matched nothing.
func (w wishes) unused() error {
	for _, p := range slices.Concat(w.zones, w.skip, w.units) {
		if !p.used {
			return fmt.Errorf("no function of the program matches %q: --list shows their names", p.text)
		}
	}
	return nil
}

// skips reports whether the user wants no zone for a function.
func (w wishes) skips(l *listed, function string) bool {
	return matches(w.skip, l, function)
}

// matches reports whether any of some patterns selects a function, of all of which each that does is used.
func matches(all []*pattern, l *listed, function string) (any bool) {
	for _, p := range all {
		any = p.wishFor(l, function) != no || any
	}
	return any
}

// of returns what the user wants for a function of a package; mine says whether it belongs to the program itself.
func (w wishes) of(l *listed, function string, mine bool) wish {
	if len(w.zones) == 0 {
		if mine {
			return yes
		}
		return no
	}
	most := no
	for _, p := range w.zones {
		most = max(most, p.wishFor(l, function))
	}
	return most
}

// here returns the import path of the folder where the go command runs.
func here(r Request, packages []*listed) string {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return ""
	}
	for _, l := range packages {
		if l.Module == nil || !l.Module.Main {
			continue
		}
		if inside, err := filepath.Rel(l.Module.Dir, dir); err == nil && filepath.IsLocal(inside) {
			return path.Join(l.Module.Path, filepath.ToSlash(inside))
		}
	}
	return ""
}

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A place is where the compiler says that a function is.
type place struct {
	file string
	line int
	name string // without the package
}

// A compilation is what the compiler found out about the packages of a program.
type compilation struct {
	asked   []string          // flags by which it was asked about packages
	inlined map[place]bool    // the functions that it inlines into their callers
	exports map[string]string // the files that tell the types of packages, by import paths
}

// remarks returns the flags that make the compiler say what it inlines: in the packages that the request names, in those of a module,
// and in the chosen ones.
func (r Request) remarks(module string, chosen []*listed) (flags []string) {
	own := userFlags(r.Flags)
	flags = append(flags, "-gcflags="+own+"-m")
	add := func(pattern string) {
		if flag := "-gcflags=" + pattern + "=" + own + "-m"; !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	if module != "" {
		add(module + "/...")
	}
	for _, p := range chosen {
		switch {
		case p.Module != nil:
			add(p.Module.Path + "/...")
		case p.path() != commandLine:
			add(p.path())
		}
	}
	return flags
}

// containsAll reports whether some are all among all.
func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(x string) bool { return !slices.Contains(all, x) })
}

// compile lists the packages of a program, with what the compiler says of them when it is asked by flags. It says the same again, without
// compiling, for packages that have not changed.
func (r Request) compile(ctx context.Context, asked []string) ([]*listed, *compilation, error) {
	args := append(r.listing(true), asked...)
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, nil, err
	}
	out, said, err := r.goCommand(ctx, append(args, r.named()...)...)
	if err != nil {
		if _, err := r.run(ctx, append(r.listing(true), r.named()...)...); err != nil { // without the remarks of -m
			return nil, nil, err
		}
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	all, err := parseList(out)
	if err != nil {
		return nil, nil, err
	}
	c := &compilation{asked, canInline(said, dir), map[string]string{}}
	for _, l := range all {
		c.exports[l.path()] = l.Export
	}
	return all, c, nil
}

// userFlags returns the flags for the compiler among those for the go command, each followed by a blank: a program that is built without
// inlining has no inlined functions.
func userFlags(flags []string) (own string) {
	for _, f := range flags {
		if value, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "gcflags="); ok {
			if i := strings.Index(value, "=-"); i >= 0 {
				value = value[i+1:]
			}
			own = value + " "
		}
	}
	return own
}

// anyClosure stands for the names of function literals, whose numbers depend on what the compiler has done before.
const anyClosure = "func"

const canInlineText = ": can inline "

// canInline reads what the compiler prints with -m, when the go command runs in a folder.
func canInline(said []byte, dir string) map[place]bool {
	places := map[place]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(said)); lines.Scan(); {
		line := lines.Text()
		where, name, ok := strings.Cut(line, canInlineText)
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, " with cost")
		file, number, ok := fileAndLine(where)
		if !ok {
			continue
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, filepath.FromSlash(file))
		}
		places[place{file, number, unqualified(anyTypes(name))}] = true
	}
	return places
}

// unqualified returns a name as the compiler writes it in the function's own package. Other packages make generic functions too, and
// name the package.
func unqualified(name string) string {
	if strings.Contains(name, ".func") {
		return anyClosure
	}
	if first, rest, ok := strings.Cut(name, "."); ok && strings.Contains(name, "[...]") && !strings.ContainsAny(first, "([") {
		return rest
	}
	return name
}

// fileAndLine takes FILE:LINE or FILE:LINE:COLUMN apart.
func fileAndLine(where string) (file string, line int, ok bool) {
	cut := func(s string) (string, int, bool) {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			return s, 0, false
		}
		n, err := strconv.Atoi(s[i+1:])
		return s[:i], n, err == nil
	}
	file, last, ok := cut(where)
	if before, n, more := cut(file); more {
		return before, n, ok
	}
	return file, last, ok
}

// anyTypes replaces the type arguments in a name by dots.
func anyTypes(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '[':
			if depth++; depth == 1 {
				b.WriteString("[...]")
			}
		case c == ']':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

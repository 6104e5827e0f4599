// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

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

// list returns the packages that the program consists of, after those that they import. It compiles the program with the same go
// command if a module is likely to be all that is asked about; compiled is nil if not.
func (r Request) list(ctx context.Context, module string) (all []*listed, compiled *compilation, err error) {
	var failed error
	if module != "" && !strings.Contains(r.Package, "...") { // which may be too many to compile
		all, compiled, failed = r.compile(ctx, r.remarks(module, nil))
	}
	if compiled == nil {
		out, err := r.run(ctx, append(r.listing(false), r.named()...)...)
		if err != nil {
			return nil, nil, err
		}
		if all, err = parseList(out); err != nil {
			return nil, nil, err
		}
	}
	if all, err = r.program(all); err == nil {
		err = failed
	}
	return all, compiled, err
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

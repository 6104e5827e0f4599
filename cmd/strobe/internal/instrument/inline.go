// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
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
	inlined map[place]bool    // the functions that it inlines into their callers
	exports map[string]string // the files that tell the types of packages, by import paths
}

// compile asks the compiler about a program. It says the same again, without compiling, for packages that have not changed.
func compile(ctx context.Context, r Request, packages []*listed) (*compilation, error) {
	args := []string{"list", "-deps", "-export", "-f={{.ImportPath}}\t{{.Export}}"}
	if r.Test {
		args = append(args, "-test")
	}
	for _, f := range r.Flags {
		if strings.TrimLeft(f, "-") != "trimpath" { // the compiler is to name the files as they are
			args = append(args, f)
		}
	}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	own, silent := userFlags(r.Flags), len(args)
	args = append(args, "-gcflags="+own+"-m")
	seen := map[string]bool{}
	for _, p := range packages {
		pattern := p.path()
		if p.Module != nil {
			pattern = p.Module.Path + "/..."
		}
		if pattern != commandLine && !seen[pattern] {
			seen[pattern] = true
			args = append(args, "-gcflags="+pattern+"="+own+"-m")
		}
	}
	targets := append([]string{"--"}, r.targets()...)
	cmd := exec.CommandContext(ctx, "go", append(args, targets...)...)
	cmd.Dir = r.Dir
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if _, err := r.run(ctx, append(args[:silent:silent], targets...)...); err != nil { // without the remarks of -m
			return nil, err
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	c := &compilation{canInline(said.Bytes(), dir), map[string]string{}}
	for line := range strings.Lines(out.String()) {
		path, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		path, _, _ = strings.Cut(path, " ") // [the name of a test binary]
		c.exports[path] = file
	}
	return c, nil
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

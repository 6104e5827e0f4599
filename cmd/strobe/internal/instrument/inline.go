// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"bufio"
	"bytes"
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

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// An insertion is a text that is put into a file.
type insertion struct {
	at   token.Pos
	text string
	raw  bool // part of a comment
}

// insert returns the file with the insertions. Each is on the line where it is put, and what follows it on that line keeps its
// position.
func (s *source) insert(all []insertion) []byte {
	slices.SortStableFunc(all, func(a, b insertion) int { return int(a.at - b.at) })
	var out bytes.Buffer
	done := 0
	for i, in := range all {
		offset := s.set.PositionFor(in.at, false).Offset
		out.Write(s.text[done:offset])
		out.WriteString(in.text)
		done = offset
		if last := i+1 == len(all) || all[i+1].at != in.at; last && !in.raw && !strings.HasSuffix(in.text, "/*") {
			out.WriteString(s.restore(in.at, strings.Contains(in.text, "/*line")))
		}
	}
	out.Write(s.text[done:])
	return out.Bytes()
}

// restore returns a comment that gives the text at a position the position it has in the source. None is needed if the line ends
// there, unless the lines after it would count from elsewhere.
func (s *source) restore(at token.Pos, elsewhere bool) string {
	raw, seen := s.set.PositionFor(at, false), s.set.Position(at)
	rest, _, _ := strings.Cut(string(s.text[raw.Offset:]), "\n")
	if rest = strings.TrimSpace(rest); !elsewhere && (rest == "" || strings.HasPrefix(rest, "//")) {
		return ""
	}
	return s.line(seen)
}

// line returns a comment that gives what follows it a position.
func (s *source) line(p token.Position) string {
	if p.Filename != s.path && !s.joins { // by a comment in the file, which the parser took as relative to its folder, and the compiler does not
		p.Filename = strings.TrimPrefix(p.Filename, filepath.Dir(s.path)+string(filepath.Separator))
	}
	if p.Column == 0 { // after a comment that gives lines only
		return fmt.Sprintf("/*line %s:%d*/", p.Filename, p.Line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, p.Column)
}

// anchored returns insertions that make the file names in line comments absolute, if the compiler would take them as relative to the
// changed file.
func (s *source) anchored() (all []insertion) {
	if !s.joins {
		return nil
	}
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			const mark = "//line "
			if !strings.HasPrefix(c.Text, mark) && !strings.HasPrefix(c.Text, "/*line ") || c.Text[1] == '/' && s.set.PositionFor(c.Pos(), false).Column != 1 {
				continue
			}
			if name, _, ok := fileAndLine(strings.TrimSuffix(c.Text[len(mark):], "*/")); ok && name != "" && !filepath.IsAbs(name) {
				all = append(all, insertion{c.Pos() + token.Pos(len(mark)), filepath.Dir(s.path) + string(filepath.Separator), true})
			}
		}
	}
	return all
}

// declarations returns where a file can declare variables before all of its own.
func (s *source) declarations() token.Pos {
	end := s.file.Name.End()
	for _, d := range s.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			end = g.End()
		}
	}
	return end
}

// enter returns the statement that counts a call of a function. A deferred call makes a function slower even if its call is not timed, by
// the time of several instructions of an interpreter, so it is behind a condition.
func enter(zone string) string { return "if " + zone + ".Due(){defer " + zone + ".Enter().Exit()};" }

// rewrite returns the files of a package that change, by path. The first one declares the zones, before all other variables, so
// that they are ready when the initialisers of these call functions. hooks are for the package that is built.
func rewrite(l *listed, files []*source, attach bool, hooks []hook) map[string][]byte {
	if len(files) == 0 {
		return nil
	}
	prefix := unused(files)
	var declared strings.Builder
	changes := make([][]insertion, len(files))
	n, ends, reads := 0, false, false
	for i, s := range files {
		for _, f := range s.functions {
			zone := func(at token.Position, kind, name string) string {
				z := fmt.Sprint(prefix, n)
				fmt.Fprintf(&declared, "%s%s=%s.%s(%q);", s.line(at), z, prefix, kind, name)
				n++
				return z
			}
			if f.reason == "" {
				changes[i] = append(changes[i], insertion{at: f.brace + 1, text: enter(zone(f.position, f.constructor(), show(l, f.name)))})
			}
			for _, w := range f.waits {
				z := zone(s.set.Position(w.Pos), "NewWaitZone", waiting(w, show(l, f.name)))
				ends, reads = ends || w.Argument(), reads || w.Reads()
				for _, e := range w.Edits(z, z+"s", prefix+"after", prefix+"reading") {
					changes[i] = append(changes[i], insertion{at: e.At, text: e.Text})
				}
			}
		}
	}
	if ends {
		changes[0] = append(changes[0], insertion{at: files[0].declarations(), text: ";" + shape.After(prefix+"after", prefix+".Span")})
	}
	imports := ""
	if n > 0 || len(hooks) > 0 {
		imports += fmt.Sprintf(";import %s %q", prefix, libraryPath)
	}
	if reads {
		imports += fmt.Sprintf(";import %sdropin %q", prefix, libraryPath+"/dropin")
		fmt.Fprintf(&declared, "%[1]sreading=%[1]sdropin.Reading;", prefix)
	}
	if attach {
		imports += fmt.Sprintf(";import _ %q", libraryPath+"/live/attach")
	}
	more, set := install(hooks, prefix)
	return finish(l, files, changes, imports+more, declared.String()+set)
}

// finish returns the files with their changes, and with imports and variables in the first one.
func finish(l *listed, files []*source, changes [][]insertion, imports, variables string) map[string][]byte {
	first := files[0]
	if imports != "" {
		changes[0] = append(changes[0], insertion{at: first.file.Name.End(), text: imports})
	}
	if variables != "" {
		changes[0] = append(changes[0], insertion{at: first.declarations(), text: ";var(" + variables + ")"})
	}
	out := map[string][]byte{}
	for i, s := range files {
		if changes[i] == nil {
			continue
		}
		if l.inCache { // it is compiled elsewhere
			changes[i] = append(changes[i], insertion{at: s.file.Package, text: s.line(s.set.PositionFor(s.file.Package, false))})
		}
		out[s.path] = s.insert(append(changes[i], s.anchored()...))
	}
	return out
}

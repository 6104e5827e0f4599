// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A place is the file and the line of a function's name. The file is relative to the module; one that a //line comment names has no
// folder.
type place struct {
	file string
	line int
}

// zoneCalls returns how often functions were called, as their zones say, from a snapshot. Zones of waits are no functions.
func (b *built) zoneCalls(t *testing.T, snapshot string) map[place]int64 {
	t.Helper()
	text, err := os.ReadFile(snapshot)
	if err != nil {
		t.Fatalf("%s: nothing was exported: %v", b.name, err)
	}
	var s struct {
		Zones []struct {
			Where string
			Wait  bool
		}
		Lanes []struct {
			Zones []struct {
				Zone        int
				Calls, Open int64
			}
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	calls := map[place]int64{}
	at := func(where string) (p place) {
		i := strings.LastIndexByte(where, ':')
		if p.file = where[:i]; filepath.IsAbs(p.file) {
			p.file, _ = filepath.Rel(b.dir, p.file)
		}
		fmt.Sscan(where[i+1:], &p.line)
		return p
	}
	for _, z := range s.Zones {
		if !z.Wait {
			calls[at(z.Where)] = 0
		}
	}
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if !s.Zones[z.Zone].Wait {
				calls[at(s.Zones[z.Zone].Where)] += z.Calls + z.Open
			}
		}
	}
	return calls
}

// compilerCalls returns the same from the counters of the compiler: those of the block at the brace of each function.
func (b *built) compilerCalls(t *testing.T, data string) map[place]int64 {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	b.command(t, "go", "tool", "covdata", "textfmt", "-i="+data, "-o="+profile)
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	module := strings.TrimSpace(b.command(t, "go", "list", "-m"))
	blocks := map[string]map[place]int64{} // by files: the counts of the blocks that begin at a line and a column
	for _, line := range strings.Split(string(text), "\n")[1:] {
		file, rest, ok := strings.Cut(strings.TrimPrefix(line, module+"/"), ":")
		if !ok {
			continue
		}
		var l, column, endLine, endColumn, statements int
		var count int64
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &l, &column, &endLine, &endColumn, &statements, &count); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if blocks[file] == nil {
			blocks[file] = map[place]int64{}
		}
		blocks[file][place{fmt.Sprint(column), l}] = count
	}
	dirs := map[string]bool{}
	for file := range blocks {
		dirs[filepath.Dir(file)] = true
	}
	calls := map[place]int64{}
	set := token.NewFileSet()
	for dir := range dirs {
		files, err := filepath.Glob(filepath.Join(b.dir, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil {
					continue
				}
				at, brace := set.Position(f.Name.Pos()), set.Position(f.Body.Lbrace) // as //line comments say
				covered, _ := filepath.Rel(b.dir, brace.Filename)
				name := place{covered, at.Line}
				if at.Filename != file {
					name.file = filepath.Base(at.Filename)
				}
				if count, ok := blocks[covered][place{fmt.Sprint(brace.Column), brace.Line}]; ok {
					calls[name] = count
				}
			}
		}
	}
	return calls
}

// A count is what was found about the calls of a program.
type count struct {
	functions int            // that were called, and whose zone says as often as the compiler's counter
	calls     int64          // of them
	varying   []place        // functions that are not called equally often in each run, so that runs cannot be compared
	unknown   []place        // functions that the compiler does not count
	wrong     map[place]bool // functions of which the zone and the counter say different numbers, and the same in each run
}

// compare compares the calls of runs with zones with those of runs with counters.
func compare(zones, counters []map[place]int64) count {
	c := count{wrong: map[place]bool{}}
	for p, n := range zones[0] {
		want, known := counters[0][p]
		switch {
		case !known:
			c.unknown = append(c.unknown, p)
		case varies(zones, p) || varies(counters, p):
			c.varying = append(c.varying, p)
		case n != want:
			c.wrong[p] = true
		case n > 0:
			c.functions++
			c.calls += n
		}
	}
	return c
}

func varies(runs []map[place]int64, p place) bool {
	for _, r := range runs {
		if r[p] != runs[0][p] {
			return true
		}
	}
	return false
}

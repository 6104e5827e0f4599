// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/profile"
)

// A call of accumulator.add would cost a quarter of a span, and it is too large to be inlined, so Span.exit and Lap.Next contain
// copies.
func TestCopiesOfAccumulatorAddAreEqual(t *testing.T) {
	add := source(t, bodyOf(t, "accumulator.go", "add").List)
	for file, name := range map[string]string{"span.go": "exit", "lap.go": "Next"} {
		found := 0
		ast.Inspect(bodyOf(t, file, name), func(n ast.Node) bool {
			if s, ok := n.(*ast.IfStmt); ok && s.Init != nil && source(t, s.Init) == "a := n.acc.Load()" {
				found++
				if got := source(t, s.Cond); got != "a != nil && !crowded.Load()" {
					t.Errorf("%s: %s adds to the accumulator if %s", file, name, got)
				}
				if got := source(t, s.Body.List); got != add {
					t.Errorf("%s: %s has\n%s\nbut accumulator.add has\n%s", file, name, got, add)
				}
				if other := source(t, s.Else); strings.Join(strings.Fields(other), " ") != "{ l.enqueue(n, d) }" {
					t.Errorf("%s: %s does otherwise %s", file, name, other)
				}
			}
			return true
		})
		if found != 1 {
			t.Errorf("%s: %s contains %d copies", file, name, found)
		}
	}
}

// bodyOf returns the body of a function or method.
func bodyOf(t *testing.T, file, name string) *ast.BlockStmt {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the source is not here: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == name {
			return d.Body
		}
	}
	t.Fatalf("%s has no %s", file, name)
	return nil
}

// Lap.Next records phases itself, unless their zone is new to the lane.
func TestPhasesAreInTheTimeline(t *testing.T) {
	amplyBudgeted(t)
	Record(1 << 20)
	defer Record(0)
	zones := []*Zone{NewZone("input"), NewZone("logic"), NewZone("output")}
	around := NewZone("around")
	const rounds = 400 // more than fit into a chunk
	l := newNamedLane("phases")
	o := l.Enter(around)
	for range rounds {
		p := l.Lap(zones[0])
		for _, z := range zones[1:] {
			nextTick()
			p.Next(z)
		}
		nextTick()
		p.End()
	}
	o.Exit()
	line := TakeTimeline()
	var phases []profile.Event
	for _, e := range line.Events {
		if e.Lane >= 0 && line.Lanes[e.Lane].ID == l.id && e.Kind == profile.SpanEvent && e.Zone != int(around.id) {
			phases = append(phases, e)
		}
	}
	if len(phases) != rounds*len(zones) {
		t.Fatalf("%d phases are in the timeline, want %d", len(phases), rounds*len(zones))
	}
	for i, e := range phases {
		want := zones[i%len(zones)]
		if e.Zone != int(want.id) || e.Depth != 1 || e.Open || line.Paths[e.Path].Parent < 0 {
			t.Fatalf("phase %d is %+v, want %s inside %s", i, e, want.name, around.name)
		}
		if i > len(zones) && i%len(zones) > 0 { // the first phases of a lane begin like spans
			before := phases[i-1]
			if gap := e.Start.Sub(before.Start.Add(before.Took)); gap < -2 || gap > 2 {
				t.Errorf("phase %d begins %v after the end of the one before", i, gap)
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// These functions return edits for the forms that a statement S that waits can have, where z is the zone and l a local name. What is
// to be written differently is turned into a comment, since edits only insert.

// around: { l := z.Enter(); S; l.Exit() }
func around(s ast.Stmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{{s.Pos(), "{ " + enter(l, z)}, {s.End(), "; " + l + ".Exit() }"}}
	}
}

// beside is for statements that declare variables: l := z.Enter(); S; l.Exit()
func beside(s ast.Stmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{{s.Pos(), enter(l, z)}, {s.End(), "; " + l + ".Exit()"}}
	}
}

// sent, of a value that takes time: { lch := ch/* <- */; lv, l := v, z.Enter(); lch <- lv; l.Exit() }
func sent(s *ast.SendStmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{
			{s.Pos(), "{ " + l + "ch := "},
			{s.Chan.End(), "/*"},
			{s.Value.Pos(), "*/; " + l + "v, " + l + " := "},
			{s.End(), ", " + z + ".Enter(); " + l + "ch <- " + l + "v; " + l + ".Exit() }"},
		}
	}
}

// unless: if !lock { l := z.Enter(); S; l.Exit() }
func unless(s ast.Stmt, lock string) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{{s.Pos(), "if !" + lock + " { " + enter(l, z)}, {s.End(), "; " + l + ".Exit() }"}}
	}
}

// returned: { l := z.Enter(); l0, l1 := /*return */f(); l.Exit(); return l0, l1 }
func returned(s *ast.ReturnStmt, results int) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		var values []string
		for i := range results {
			values = append(values, fmt.Sprint(l, i))
		}
		all := strings.Join(values, ", ")
		return []Edit{
			{s.Pos(), "{ " + enter(l, z) + all + " := /*"},
			{s.Results[0].Pos(), "*/"},
			{s.End(), "; " + l + ".Exit(); return " + all + " }"},
		}
	}
}

// headed: { l := z.Enter(); /*if */init; l.Exit(); if ; cond {...} }
func headed(s ast.Stmt, keyword string, init ast.Stmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{
			{s.Pos(), "{ " + enter(l, z) + "/*"},
			{init.Pos(), "*/"},
			{init.End(), "; " + l + ".Exit(); " + keyword + " "},
			{s.End(), " }"},
		}
	}
}

// selected: { l := z.Enter(); select { case ...: l.Exit(); ... } }
func selected(s *ast.SelectStmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		if len(s.Body.List) == 0 { // it waits for ever
			return []Edit{{s.Pos(), z + ".Enter(); "}}
		}
		all := []Edit{{s.Pos(), "{ " + enter(l, z)}}
		for _, c := range s.Body.List {
			all = append(all, Edit{c.(*ast.CommClause).Colon + 1, " " + l + ".Exit();"})
		}
		return append(all, Edit{s.End(), " }"})
	}
}

// condition: for { l := z.Enter(); lok := cond; l.Exit(); if !lok { break }; {...} }
func condition(s *ast.ForStmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		return []Edit{
			{s.Cond.Pos(), "{ " + enter(l, z) + l + "ok := "},
			{s.Cond.End(), "; " + l + ".Exit(); if !" + l + "ok { break };"},
			{s.End(), " }"},
		}
	}
}

// ranged: { lch := /*for v := range */ch; for { l := z.Enter(); v, lok := <-lch; l.Exit(); if !lok { break }; {...} } }
func ranged(s *ast.RangeStmt) func(z, l string) []Edit {
	return func(z, l string) []Edit {
		receive := "_, " + l + "ok := <-" + l + "ch"
		if s.Key != nil {
			receive = types.ExprString(s.Key) + strings.TrimPrefix(receive, "_")
		}
		if s.Tok == token.ASSIGN {
			receive = "var " + l + "ok bool; " + strings.Replace(receive, ":=", "=", 1)
		}
		return []Edit{
			{s.Pos(), "{ " + l + "ch := /*"},
			{s.X.Pos(), "*/"},
			{s.X.End(), "; for { " + enter(l, z) + receive + "; " + l + ".Exit(); if !" + l + "ok { break };"},
			{s.End(), " } }"},
		}
	}
}

// argument: after(z.Enter(), value). Calls in arguments are made from left to right, so that the span has the wait alone.
func argument(value ast.Expr, z, after string) []Edit {
	return []Edit{{value.Pos(), after + "(" + z + ".Enter(), "}, {value.End(), ")"}}
}

// After returns the declaration of a function that ends a span when a value is there, and returns the value. Span is the type of spans.
func After(name, span string) string {
	return "func " + name + "[T any](s " + span + ", v T) T { s.Exit(); return v }"
}

func enter(local, zone string) string { return local + " := " + zone + ".Enter(); " }

// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// checkCircles reports every cycle of calls between files of a package. If a function in a.go calls one in b.go, no call may
// lead from b.go back to a.go.
//
// Any use of the name of a function or method of the package counts as a call, including passing it as a value. A call
// through an interface or a function value is not detected.
func (c *checker) checkCircles(packages map[string]*listed) {
	for _, path := range sortedKeys(packages) {
		p := packages[path]
		name, ours := c.tree.name(path)
		if !ours || p.DepOnly || len(p.GoFiles) < 2 || covers(c.policy.Circles, name) {
			continue
		}
		graph, err := c.loader.calls(path)
		if err != nil {
			c.report(c.tree.rel(p.Dir), "load", "on %s: %v", c.loader.platform, err)
			continue
		}
		for _, circle := range graph.circles() {
			c.report(c.tree.rel(p.Dir), "circle", "%s", graph.describe(circle))
		}
	}
}

// A callGraph says which files of a package call which others, with an example: from, to, "F calls G".
type callGraph map[string]map[string]string

// calls returns the call graph of a package's files.
func (l *loader) calls(path string) (callGraph, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	if _, err := l.check(l.listed[path], path, config(l.platform), info); err != nil {
		return nil, err
	}
	graph := callGraph{}
	for _, name := range l.listed[path].GoFiles {
		f, err := l.parse(filepath.Join(l.listed[path].Dir, name))
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && callable(info.Uses[id], path) {
					at := l.fset.Position(info.Uses[id].Pos()).Filename
					graph.add(name, filepath.Base(at), l.owner(decl, id)+" calls "+id.Name)
				}
				return true
			})
		}
	}
	return graph, nil
}

// callable reports whether an object is a function, a method or a function variable at the top level of a package.
func callable(obj types.Object, path string) bool {
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != path {
		return false
	}
	switch obj := obj.(type) {
	case *types.Func:
		recv := obj.Signature().Recv()
		return recv == nil || !types.IsInterface(recv.Type())
	case *types.Var:
		_, function := obj.Type().Underlying().(*types.Signature)
		return function && obj.Parent() == obj.Pkg().Scope()
	}
	return false
}

// owner names the declaration that contains a use.
func (l *loader) owner(decl ast.Decl, use ast.Node) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			return receiverName(d.Recv.List[0].Type) + "." + d.Name.Name
		}
		return d.Name.Name
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && v.Pos() <= use.Pos() && use.Pos() < v.End() {
				return v.Names[0].Name
			}
		}
	}
	return token.VAR.String()
}

func (g callGraph) add(from, to, example string) {
	if from == to {
		return
	}
	if g[from] == nil {
		g[from] = map[string]string{}
	}
	if g[from][to] == "" {
		g[from][to] = example
	}
}

// circles returns a shortest cycle for each group of files that reach each other.
func (g callGraph) circles() [][]string {
	var found [][]string
	grouped := map[string]bool{}
	for _, file := range sortedKeys(g) {
		if grouped[file] {
			continue
		}
		var shortest []string
		for _, member := range g.reached(file) {
			if circle := g.back(member); circle != nil && slices.Contains(g.reached(member), file) {
				grouped[member] = true
				if shortest == nil || len(circle) < len(shortest) {
					shortest = circle
				}
			}
		}
		if shortest != nil {
			found = append(found, shortest)
		}
	}
	return found
}

// reached returns the files that calls from a file lead to, sorted. They include the file itself only if it is on a cycle.
func (g callGraph) reached(file string) []string {
	seen := map[string]bool{}
	queue := []string{file}
	for i := 0; i < len(queue); i++ {
		for next := range g[queue[i]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// back returns a shortest path from a file back to itself; nil if there is none.
func (g callGraph) back(file string) []string {
	queue := [][]string{{file}}
	seen := map[string]bool{}
	for i := 0; i < len(queue); i++ {
		way := queue[i]
		for _, next := range sortedKeys(g[way[len(way)-1]]) {
			if next == file {
				return append(way, file)
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, append(slices.Clip(way), next))
			}
		}
	}
	return nil
}

// describe renders a cycle as "a.go -> b.go (F calls G) -> a.go (H calls I)".
func (g callGraph) describe(circle []string) string {
	var b strings.Builder
	b.WriteString(circle[0])
	for i, to := range circle[1:] {
		fmt.Fprintf(&b, " -> %s (%s)", to, g[circle[i]][to])
	}
	return b.String()
}

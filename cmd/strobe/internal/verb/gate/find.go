// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"time"
)

// A finding is what a side of a package has: the benchmarks that ran, in their order, and the top-level ones that did not.
type finding struct {
	names  []string
	cost   map[string]time.Duration      // of one call
	calls  map[string]int                // how many were made
	also   map[string]map[metric]float64 // what else they report
	broken map[string]string             // why, by name, mostly that at the top level
	noisy  map[string]bool               // what prints, by top-level name
}

// brokenBy returns why a benchmark, or the top-level one that it belongs to, did not run.
func (f *finding) brokenBy(name string) string {
	if why := f.broken[name]; why != "" {
		return why
	}
	top, _, _ := strings.Cut(name, "/")
	return f.broken[top]
}

// find runs each benchmark of a test program once. That is the only way to learn of those that others run within them. In the
// emulated machine, which takes a while to start, it first tries all together.
func find(ctx context.Context, program process, p pattern) (*finding, error) {
	f := &finding{cost: map[string]time.Duration{}, calls: map[string]int{}, also: map[string]map[metric]float64{}, broken: map[string]string{}, noisy: map[string]bool{}}
	program.blocks = 1
	if program.machine != nil {
		together := program
		together.pattern, together.timeout = p.String(), min(program.timeout, 2*time.Minute) // one of them may hang
		all, err := together.exec(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && all.timed() {
			f.add(all)
			return f, nil
		}
	}
	tops, err := program.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, top := range tops {
		var ok bool
		if program.pattern, ok = p.within(top); !ok {
			continue
		}
		ran, err := program.exec(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for try := 1; err == nil && !ran.timed() && try < panicTries; try++ {
			ran, err = program.exec(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		if err != nil {
			f.broken[top] = err.Error()
		}
		f.noisy[top] = ran.noise && err == nil
		f.add(ran)
	}
	return f, nil
}

// panicTries is how often a benchmark without a time is run to see whether it panics. Package testing continues when a
// benchmark panics, and may print a result without a time and exit with 0 before the panic ends the process; on a busy machine
// that happens in some percent of runs.
const panicTries = 5

// timed reports whether all results have a time.
func (o printout) timed() bool {
	return !slices.ContainsFunc(o.values, func(v values) bool { return !v.timed })
}

// add takes the benchmarks that ran.
func (f *finding) add(ran printout) {
	for _, v := range ran.values {
		if slices.Contains(f.names, v.name) {
			continue
		}
		if !v.timed {
			if f.brokenBy(v.name) == "" {
				f.broken[v.name] = "reports no time per call"
			}
			continue
		}
		f.names = append(f.names, v.name)
		f.cost[v.name], f.calls[v.name], f.also[v.name] = max(1, time.Duration(v.ns)), v.calls, v.more
	}
}

// concurrent adds to names the functions of test files that start goroutines, or that mention one of the same files that does.
// Methods count under their name alone.
func concurrent(files []string, names map[string]bool) {
	mentions := map[string]map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil { // then it does not build either
			continue
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				of := mentions[f.Name.Name]
				if of == nil {
					of = map[string]bool{}
					mentions[f.Name.Name] = of
				}
				ast.Inspect(f.Body, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.GoStmt:
						names[f.Name.Name] = true
					case *ast.Ident:
						of[n.Name] = true
					}
					return true
				})
			}
		}
	}
	names["RunParallel"], names["GOMAXPROCS"], names["NumCPU"] = true, true, true
	for grew := true; grew; {
		grew = false
		for f, of := range mentions {
			for name := range of {
				if names[name] && !names[f] {
					names[f], grew = true, true
				}
			}
		}
	}
}

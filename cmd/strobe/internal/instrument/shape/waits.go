// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"
)

// A Blocking is a statement that waits: a call of a list, an operation on a channel, or a select without default.
type Blocking struct {
	Pos  token.Pos // where it waits
	Name string    // what waits, as in the source: s.mu.Lock, <-jobs, select
	Why  string    // by what it was recognised

	edits  func(zone, local string) []Edit
	value  ast.Expr // an argument that waits; nil if a statement does
	reader string   // an expression for what is read, on which it depends whether the statement waits; "" if it does
}

// Edits returns what puts a span of a zone around the wait; zone is an expression for the *strobe.Zone, local a prefix that no name
// of the function has, different for each wait. The meaning of the program stays: order of evaluation, scopes, labels, results, panics.
// A panic in the wait leaves the span open until an enclosing one ends.
//
// A lock is taken by TryLock first, which is what Lock begins with, so that the zone has the calls that had to wait, and a lock that is
// free costs nothing more.
//
// After is the name of a function that [After] declares, for the waits that are Arguments. Reading is that of one that gets a zone, and
// what is read, and returns the zone if reading that may wait and else one that measures nothing, for those that are Reads.
func (b *Blocking) Edits(zone, local, after, reading string) []Edit {
	if b.reader != "" {
		zone = reading + "(" + zone + ", " + b.reader + ")"
	}
	if b.value != nil {
		return argument(b.value, zone, after)
	}
	return b.edits(zone, local)
}

// Argument reports whether the wait is an argument of a call, and no statement of its own.
func (b *Blocking) Argument() bool { return b.value != nil }

// Reads reports whether it depends on what is read whether the statement waits.
func (b *Blocking) Reads() bool { return b.reader != "" }

// Waits returns the statements of a function's body that wait, and the arguments of calls, in the order of the source, with those of its
// closures.
//
// It leaves out: statements after a label, since a label must stay with its statement; go and defer; waits in other expressions than
// the arguments of calls, and there those with several values; waits whose arguments contain calls that may take long, since their time
// is no waiting. A call without arguments that returns a channel is taken to be quick. If what is sent to a channel is the result of a call
// that may take long, or a literal with one, the wait begins after the call.
func (p *Package) Waits(body *ast.BlockStmt) []Blocking {
	var found []Blocking
	within := map[ast.Node]bool{} // what is part of a statement that waits
	add := func(s ast.Stmt) {
		b, ok := p.blocking(s)
		if ok {
			found = append(found, b)
			if send, is := s.(*ast.SendStmt); !is || p.quick(send.Value) { // otherwise the value is not part of the wait
				within[head(s)] = true
			}
		}
		if s, is := s.(*ast.SelectStmt); ok && is {
			for _, c := range s.Body.List {
				within[c.(*ast.CommClause).Comm] = true
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		case *ast.IfStmt:
			if next, ok := n.Else.(*ast.IfStmt); ok {
				list = []ast.Stmt{next}
			}
		}
		for _, s := range list {
			add(s)
		}
		return true
	})
	if p.generic {
		found = p.arguments(body, within, found)
	}
	slices.SortStableFunc(found, func(a, b Blocking) int { return int(a.Pos - b.Pos) })
	return found
}

// head returns the part of a statement that waits which has no other statements.
func head(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Init
	case *ast.SwitchStmt:
		return s.Init
	case *ast.TypeSwitchStmt:
		return s.Init
	case *ast.ForStmt:
		return s.Cond
	case *ast.RangeStmt:
		return s.X
	case *ast.SelectStmt:
		return nil // its clauses are
	}
	return s
}

// arguments adds the arguments that wait, but not those within other waits.
func (p *Package) arguments(root ast.Node, within map[ast.Node]bool, found []Blocking) []Blocking {
	ast.Inspect(root, func(n ast.Node) bool {
		if n != nil && within[n] {
			ast.Inspect(n, func(n ast.Node) bool {
				lit, ok := n.(*ast.FuncLit)
				if ok {
					found = p.arguments(lit.Body, within, found)
				}
				return !ok
			})
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || p.info.Types[call].Value != nil { // a constant evaluates nothing
			return true
		}
		for _, arg := range call.Args {
			if b, ok := p.operation(arg); ok && p.info.Types[arg].IsValue() && p.results(arg) == 1 {
				b.value = arg
				found = append(found, b)
				within[arg] = true
			}
		}
		return true
	})
	return found
}

// blocking recognises a statement that waits.
func (p *Package) blocking(s ast.Stmt) (b Blocking, ok bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		b, ok = p.operation(s.X)
		b.edits = around(s)
		if lock := p.lock(s.X); lock != "" {
			b.Why += ", if the lock was taken"
			b.edits = unless(s, lock)
		}
	case *ast.SendStmt:
		ok = p.quick(s.Chan)
		b = Blocking{Pos: s.Arrow, Name: text(s.Chan) + " <-", Why: "sends to a channel", edits: around(s)}
		if ok && !p.quick(s.Value) {
			ok = p.typed(s.Value) && !p.commented(s.Chan.End(), s.Value.Pos())
			b.edits = sent(s)
		}
	case *ast.AssignStmt:
		b, ok = p.assignment(s)
		b.edits = around(s)
		if s.Tok == token.DEFINE {
			b.edits = beside(s)
		}
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			b, ok = p.operation(s.Results[0])
			b.edits = returned(s, p.results(s.Results[0]))
		}
	case *ast.IfStmt:
		b, ok = p.header(s, "if", s.Init)
	case *ast.SwitchStmt:
		b, ok = p.header(s, "switch", s.Init)
	case *ast.TypeSwitchStmt:
		b, ok = p.header(s, "switch", s.Init)
	case *ast.SelectStmt:
		ok = p.waits(s)
		b = Blocking{Pos: s.Select, Name: "select", Why: "a select without default", edits: selected(s)}
	case *ast.ForStmt:
		if s.Cond != nil && s.Init == nil && s.Post == nil && s.Cond.Pos() == s.For+token.Pos(len("for ")) {
			b, ok = p.operation(s.Cond)
			b.edits = condition(s)
		}
	case *ast.RangeStmt:
		ok = p.receives(s)
		b = Blocking{Pos: s.For, Name: "range " + text(s.X), Why: "receives from a channel", edits: ranged(s)}
	}
	return b, ok
}

// header recognises a wait in the statement at the head of an if or a switch.
func (p *Package) header(s ast.Stmt, keyword string, init ast.Stmt) (b Blocking, ok bool) {
	if init == nil || init.Pos() != s.Pos()+token.Pos(len(keyword)+1) { // a comment between them, perhaps
		return b, false
	}
	switch init := init.(type) {
	case *ast.ExprStmt:
		b, ok = p.operation(init.X)
	case *ast.AssignStmt:
		b, ok = p.assignment(init)
	}
	b.edits = headed(s, keyword, init)
	return b, ok
}

// assignment recognises the wait on the right side of an assignment.
func (p *Package) assignment(s *ast.AssignStmt) (Blocking, bool) {
	for _, left := range s.Lhs {
		if !p.quick(left) {
			return Blocking{}, false
		}
	}
	if len(s.Rhs) != 1 {
		return Blocking{}, false
	}
	return p.operation(s.Rhs[0])
}

// operation recognises an expression that waits: a call of the list, or a receive operation.
func (p *Package) operation(e ast.Expr) (Blocking, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		f := p.called(e)
		if f == nil || !p.quick(e.Fun) {
			return Blocking{}, false
		}
		reader := ""
		if !blockingCalls()[f.FullName()] {
			if reader = p.reader(e, f); reader == "" {
				return Blocking{}, false
			}
		}
		for _, arg := range e.Args {
			if !p.quick(arg) {
				return Blocking{}, false
			}
		}
		b := Blocking{Pos: e.Lparen, Name: text(e.Fun), Why: "a call of " + f.FullName(), reader: reader}
		if reader != "" {
			b.Why += ", if what it reads may wait"
		}
		return b, true
	case *ast.UnaryExpr:
		return Blocking{Pos: e.OpPos, Name: "<-" + text(e.X), Why: "receives from a channel"}, e.Op == token.ARROW && p.quick(e.X)
	}
	return Blocking{}, false
}

// reader returns what a call reads from, if it depends on that whether it waits; "" if the call does not read, or if evaluating it twice
// could matter.
func (p *Package) reader(call *ast.CallExpr, f *types.Func) string {
	if !reads(f) {
		return ""
	}
	if f.Signature().Recv() == nil {
		if len(call.Args) == 0 || !steady(call.Args[0]) || !p.info.Types[call.Args[0]].IsValue() {
			return ""
		}
		return types.ExprString(call.Args[0])
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !steady(sel.X) {
		return ""
	}
	selection := p.info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		return ""
	}
	from, t := types.ExprString(sel.X), selection.Recv()
	for _, i := range selection.Index()[:len(selection.Index())-1] { // embedded fields
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		outer, ok := t.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		field := outer.Field(i)
		if !field.Exported() && field.Pkg() != p.pkg {
			return ""
		}
		from, t = from+"."+field.Name(), field.Type()
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) {
		from = "&" + from
	}
	return from
}

// waits tells whether a select waits, and evaluates nothing before that takes long.
func (p *Package) waits(s *ast.SelectStmt) bool {
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			if !p.quick(comm.Chan) || !p.quick(comm.Value) {
				return false
			}
		case *ast.ExprStmt:
			if _, ok := p.operation(comm.X); !ok {
				return false
			}
		case *ast.AssignStmt:
			if _, ok := p.assignment(comm); !ok {
				return false
			}
		default: // the default clause
			return false
		}
	}
	return true
}

// receives tells whether a loop ranges over a channel and can be written as one that receives. Before Go 1.22 all turns share the
// variable, which that would change.
func (p *Package) receives(s *ast.RangeStmt) bool {
	t, file := p.info.TypeOf(s.X), p.file(s.Pos())
	if t == nil || !p.quick(s.X) || file == nil || s.Tok == token.DEFINE && shared(p.info.FileVersions[file]) {
		return false
	}
	if _, ok := t.Underlying().(*types.Chan); !ok {
		return false
	}
	return !p.commented(s.For, s.Body.Lbrace) && (s.Key == nil || steady(s.Key))
}

// commented tells whether there is a comment in a part of a file, which therefore cannot become one.
func (p *Package) commented(from, to token.Pos) bool {
	file := p.file(from)
	return file == nil || slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() < to && c.End() > from })
}

// typed tells whether an expression is a value that has the same type in a variable that is declared with it: a call, or a literal of a type.
func (p *Package) typed(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return p.info.Types[e].IsValue() && p.info.Types[e].Value == nil && p.results(e) == 1
	case *ast.CompositeLit:
		return true
	}
	return false
}

// lock returns the call that takes a lock if it is free; "" if e takes none, or if evaluating it twice could matter.
func (p *Package) lock(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	f := p.called(call)
	if !ok || f == nil || try(f) == "" || !steady(sel.X) {
		return ""
	}
	selection := p.info.Selections[sel]
	if selection == nil {
		return ""
	}
	same, _, _ := types.LookupFieldOrMethod(selection.Recv(), true, f.Pkg(), try(f))
	if m, ok := same.(*types.Func); !ok || m.Pkg() != f.Pkg() { // an outer type has one of its own
		return ""
	}
	return types.ExprString(sel.X) + "." + try(f) + "()"
}

// quick tells whether evaluating an expression takes no time to speak of. A call that waits may be inside another.
func (p *Package) quick(e ast.Expr) bool {
	all := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // runs later, if at all
		case *ast.UnaryExpr:
			all = all && n.Op != token.ARROW
		case *ast.CallExpr:
			f, t := p.called(n), p.info.Types[n.Fun]
			all = all && (p.accessor(n) || t.IsType() || t.IsBuiltin() || f != nil && f.Pkg() != nil &&
				(quickCalls()[f.Pkg().Path()] || quickCalls()[f.FullName()] || blockingCalls()[f.FullName()] && !pacing(f)))
		}
		return all
	})
	return all
}

// accessor tells whether a call has no arguments and returns a channel, as ctx.Done() does. What takes long in such a function of the
// program has a zone of its own.
func (p *Package) accessor(call *ast.CallExpr) bool {
	t := p.info.TypeOf(call)
	if len(call.Args) > 0 || t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// steady tells whether an expression may be evaluated twice: it has no effects, and its source is what types.ExprString writes.
func steady(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return steady(e.X)
	case *ast.SelectorExpr:
		return steady(e.X)
	case *ast.StarExpr:
		return steady(e.X)
	case *ast.IndexExpr:
		return steady(e.X) && steady(e.Index)
	}
	return false
}

// results returns how many values a wait has.
func (p *Package) results(e ast.Expr) int {
	if tuple, ok := p.info.TypeOf(e).(*types.Tuple); ok {
		return tuple.Len()
	}
	return 1
}

// file returns the file with a position; nil if it is not of the package.
func (p *Package) file(at token.Pos) *ast.File {
	for _, f := range p.files {
		if f.FileStart <= at && at < f.FileEnd {
			return f
		}
	}
	return nil
}

// shared tells whether the turns of a loop share its variables in a version of the language.
func shared(language string) bool { return language != "" && version.Compare(language, "go1.22") < 0 }

// text returns an expression as a name for what waits.
func text(e ast.Expr) string {
	const most = 60
	s := types.ExprString(e)
	if len(s) > most || strings.ContainsAny(s, "\n{") {
		if sel, ok := e.(*ast.SelectorExpr); ok {
			return sel.Sel.Name
		}
		return "..."
	}
	return s
}

// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Units returns why functions are units of work, by the positions of their names: the functions of the packages that were added which
// handle a request by their parameters, and those that a loop calls at its pace.
//
// A handler that passes its request on to another handler is none, nor one that is only called by functions of the program: the
// request would count twice. Of the methods of gRPC and Connect services that pass a request on, the last one is the unit. What a loop calls at its
// pace and many others call too, such as a function that logs, is none either.
func (p *Program) Units() map[token.Pos]string {
	found, ends := map[token.Pos]string{}, map[string]bool{}
	var passing []*types.Func
	values, called := p.reached()
	for _, pkg := range p.all {
		for _, f := range pkg.functions() {
			obj, _ := pkg.info.Defs[f.Name].(*types.Func)
			if obj == nil {
				continue
			}
			entry := values[obj] > 0 || called[obj] == 0 || f.Recv != nil && f.Name.IsExported() // an interface may have the method
			if why := request(obj); why != "" && entry && !pkg.forwards(f) {
				found[f.Name.Pos()] = why
				if pkg.passes(f, obj) {
					passing = append(passing, obj)
				} else {
					ends[question(obj)] = true
				}
			}
		}
	}
	for _, f := range passing {
		if ends[question(f)] {
			delete(found, f.Pos())
		}
	}
	ticks := map[*types.Func]int{}
	for _, pkg := range p.all {
		for _, f := range pkg.ticks() {
			ticks[f.Origin()]++
		}
	}
	for f, n := range ticks {
		if found[f.Pos()] == "" && p.packages[f.Pkg().Path()] == f.Pkg() && values[f]+called[f]+throughInterface(f, called)-n <= mostOthers {
			found[f.Pos()] = "the tick of a loop that waits for the time"
		}
	}
	return found
}

// mostOthers is how often a tick is called elsewhere: once before its loop, and once at the end of the program.
const mostOthers = 2

// throughInterface tells how often a method is called through an interface.
func throughInterface(f *types.Func, called map[types.Object]int) (n int) {
	own := f.Signature().Recv()
	if own == nil || f.Signature().RecvTypeParams() != nil {
		return 0
	}
	for obj, times := range called {
		m, _ := obj.(*types.Func)
		if m == nil || m.Name() != f.Name() || m.Signature().Recv() == nil {
			continue
		}
		i, _ := m.Signature().Recv().Type().Underlying().(*types.Interface)
		if i != nil && (types.Implements(own.Type(), i) || types.Implements(types.NewPointer(own.Type()), i)) {
			n += times
		}
	}
	return n
}

// functions returns the declarations of functions that have a body, without those of generated files.
func (p *Package) functions() []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, file := range p.files {
		if ast.IsGenerated(file) {
			continue
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// frameworks matches the only parameter of a handler of a framework.
var frameworks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*?github\.com/labstack/echo(/v\d+)?\.Context|\*github\.com/gin-gonic/gin\.Context|\*?github\.com/gofiber/fiber(/v\d+)?\.Ctx|\*github\.com/valyala/fasthttp\.RequestCtx)$`)
})

// messages matches the only parameter of a function that handles a message and returns nothing.
var messages = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*github\.com/nats-io/nats\.go\.Msg|github\.com/nats-io/nats\.go/jetstream\.Msg|github\.com/nats-io/nats\.go/micro\.Request)$`)
})

// request says by which of its parameters a function handles requests; "" if by none.
func request(f *types.Func) string {
	s := f.Signature()
	in, out := s.Params(), s.Results()
	is := func(i int, name string) bool { return in.Len() > i && typeName(in.At(i)) == name }
	switch {
	case is(0, "net/http.ResponseWriter") && is(1, "*net/http.Request"):
		return "an http handler"
	case is(0, "github.com/miekg/dns.ResponseWriter") && is(1, "*github.com/miekg/dns.Msg"):
		return "a handler of miekg/dns"
	case is(0, "github.com/tidwall/redcon.Conn") && is(1, "github.com/tidwall/redcon.Command"):
		return "a handler of tidwall/redcon"
	case is(0, "context.Context") && is(1, "*github.com/hibiken/asynq.Task") && in.Len() == 2:
		return "a handler of hibiken/asynq"
	case in.Len() == 1 && (frameworks().MatchString(typeName(in.At(0))) || out.Len() == 0 && messages().MatchString(typeName(in.At(0)))):
		_, name, _ := strings.Cut(typeName(in.At(0)), "github.com/")
		return "a handler of " + name
	case s.Recv() != nil && in.Len() == 2 && out.Len() == 2 && is(0, "context.Context") && connected(in.At(1).Type()) &&
		strings.HasPrefix(typeName(out.At(0)), "*connectrpc.com/connect.Response["):
		return "a method of a Connect service"
	case s.Recv() != nil && in.Len() == 2 && out.Len() == 2 && !s.Variadic() && is(0, "context.Context") &&
		message(in.At(1).Type()) && message(out.At(0).Type()) && out.At(1).Type().String() == "error":
		return "a method of a gRPC service"
	case s.Recv() != nil && f.Name() == "Update" && in.Len() == 0 && game(s.Recv().Type()):
		return "the update of a game of Ebitengine"
	}
	return ""
}

func typeName(v *types.Var) string { return types.TypeString(v.Type(), nil) }

// connected tells whether a type is the request of a Connect service.
func connected(t types.Type) bool {
	return strings.HasPrefix(types.TypeString(t, nil), "*connectrpc.com/connect.Request[")
}

// message tells whether a type is a message of protocol buffers.
func message(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	m, _, _ := types.LookupFieldOrMethod(t, false, nil, "ProtoReflect")
	_, method := m.(*types.Func)
	return pointer && method
}

// game tells whether a type draws to an image of Ebitengine.
func game(t types.Type) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, "Draw")
	draw, ok := m.(*types.Func)
	if !ok || draw.Signature().Params().Len() != 1 {
		return false
	}
	image := types.TypeString(draw.Signature().Params().At(0).Type(), nil)
	return strings.HasPrefix(image, "*github.com/hajimehoshi/ebiten/") && strings.HasSuffix(image, ".Image")
}

// reached tells how often the functions of the program are used as a value, and how often they are called.
func (p *Program) reached() (values, called map[types.Object]int) {
	values, called = map[types.Object]int{}, map[types.Object]int{}
	for _, pkg := range p.all {
		callees := map[*ast.Ident]bool{}
		for call := range nodes[*ast.CallExpr](pkg.files) {
			switch fun := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				callees[fun] = true
			case *ast.SelectorExpr:
				callees[fun.Sel] = true
			}
		}
		for name, f := range pkg.info.Uses {
			if g, ok := f.(*types.Func); ok {
				f = g.Origin()
			}
			if callees[name] {
				called[f]++
			} else {
				values[f]++
			}
		}
	}
	return values, called
}

// serve has the names of interface methods that handle a request.
var serve = []string{"ServeHTTP", "ServeDNS", "ServeRESP", "ProcessTask"}

// forwards tells whether a function calls a handler that is a value: a ServeHTTP or the like of an interface, a variable with its own
// parameters, or the next handler of a framework.
func (p *Package) forwards(f *ast.FuncDecl) bool {
	own := map[types.Object]bool{}
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			own[p.info.Defs[name]] = true
		}
	}
	for call := range nodes[*ast.CallExpr]([]*ast.BlockStmt{f.Body}) {
		sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if sel != nil && (slices.Contains(serve, sel.Sel.Name) || sel.Sel.Name == "Next" && len(call.Args) == 0 && p.isOne(sel.X, own)) {
			return true
		}
		if p.called(call) == nil && !p.info.Types[call.Fun].IsType() && !p.info.Types[call.Fun].IsBuiltin() && len(call.Args) > 1 &&
			p.isOne(call.Args[0], own) && p.isOne(call.Args[1], own) {
			return true
		}
	}
	return false
}

// passes tells whether a method of such a service passes its request on to such a method of the same name.
func (p *Package) passes(f *ast.FuncDecl, obj *types.Func) bool {
	if question(obj) == "" {
		return false
	}
	message := map[types.Object]bool{obj.Signature().Params().At(1): true}
	for call := range nodes[*ast.CallExpr]([]*ast.BlockStmt{f.Body}) {
		next := p.called(call)
		if next != nil && next != obj && question(next) == question(obj) && request(next) != "" && len(call.Args) == 2 && p.isOne(call.Args[1], message) {
			return true
		}
	}
	return false
}

// question returns what a method of a gRPC or Connect service is asked: its name and the type of the request; "" for other handlers.
func question(f *types.Func) string {
	in := f.Signature().Params()
	if in.Len() != 2 || !message(in.At(1).Type()) && !connected(in.At(1).Type()) {
		return ""
	}
	return f.Name() + " " + types.TypeString(in.At(1).Type(), nil)
}

// isOne tells whether an expression is one of the objects.
func (p *Package) isOne(e ast.Expr, objects map[types.Object]bool) bool {
	name, ok := e.(*ast.Ident)
	return ok && objects[p.info.Uses[name]]
}

// nodes returns the nodes of type N below the roots.
func nodes[N, R ast.Node](roots []R) func(yield func(N) bool) {
	return func(yield func(N) bool) {
		more := true
		for _, root := range roots {
			ast.Inspect(root, func(n ast.Node) bool {
				if node, ok := n.(N); ok && more {
					more = yield(node)
				}
				return more
			})
		}
	}
}

// ticks returns the functions that a loop calls in each turn, if the loop waits in each turn for a ticker, a limiter or a sleep. Loops
// that count are none: they repeat a few times what failed. Nor are loops whose condition calls a function: they wait for something to
// become true, and ask again. A function with results other than an error tells something, and is no tick.
func (p *Package) ticks() []*types.Func {
	var found []*types.Func
	for _, f := range p.functions() {
		for loop := range nodes[ast.Stmt]([]*ast.BlockStmt{f.Body}) {
			var body *ast.BlockStmt
			paced := false
			switch loop := loop.(type) {
			case *ast.ForStmt:
				if loop.Init != nil || loop.Post != nil || loop.Cond != nil && p.asks(loop.Cond) {
					continue
				}
				body = loop.Body
			case *ast.RangeStmt:
				body, paced = loop.Body, p.ofTime(loop.X)
				if !paced {
					continue
				}
			default:
				continue
			}
			var called []*types.Func
			for _, s := range body.List {
				c, wait := p.turn(s)
				called, paced = append(called, c...), paced || wait
			}
			if paced {
				found = append(found, called...)
			}
		}
	}
	return found
}

// asks tells whether a condition calls a function.
func (p *Package) asks(e ast.Expr) bool {
	for call := range nodes[*ast.CallExpr]([]ast.Expr{e}) {
		if !p.quick(call) {
			return true
		}
	}
	return false
}

// turn returns the functions that a statement of a loop calls, and whether it waits for the time to come.
func (p *Package) turn(s ast.Stmt) (called []*types.Func, paced bool) {
	var of ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		of = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			of = s.Rhs[0]
		}
	case *ast.IfStmt:
		if s.Init != nil {
			return p.turn(s.Init)
		}
	case *ast.SelectStmt: // for select { case <-ticker.C: tick() }
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			if clause.Comm == nil { // the default: it does not wait
				return nil, false
			}
			if _, wait := p.turn(clause.Comm); !wait {
				continue
			}
			paced = true
			for _, s := range clause.Body {
				c, _ := p.turn(s)
				called = append(called, c...)
			}
		}
	}
	switch e := ast.Unparen(of).(type) {
	case *ast.CallExpr:
		f := p.called(e)
		if f == nil {
			break
		}
		if pacing(f) {
			return nil, true
		}
		if out := f.Signature().Results(); out.Len() > 1 || out.Len() == 1 && out.At(0).Type().String() != "error" || prints(f) {
			break
		}
		if !types.IsInterface(receiver(f)) && f.Pkg() != nil {
			called = append(called, f)
		}
	case *ast.UnaryExpr:
		paced = e.Op == token.ARROW && p.ofTime(e.X)
	}
	return called, paced
}

// prints tells whether a function takes any number of anything, as those that print and log do.
func prints(f *types.Func) bool {
	in := f.Signature().Params()
	if !f.Signature().Variadic() {
		return false
	}
	empty, ok := in.At(in.Len() - 1).Type().(*types.Slice).Elem().Underlying().(*types.Interface)
	return ok && empty.Empty()
}

// receiver returns the type of a method's receiver, and an empty struct for functions.
func receiver(f *types.Func) types.Type {
	if recv := f.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.NewStruct(nil, nil)
}

// ofTime tells whether an expression is a channel of times, as those of tickers.
func (p *Package) ofTime(e ast.Expr) bool {
	t := p.info.TypeOf(e)
	if t == nil {
		return false
	}
	c, ok := t.Underlying().(*types.Chan)
	return ok && types.TypeString(c.Elem(), nil) == "time.Time"
}

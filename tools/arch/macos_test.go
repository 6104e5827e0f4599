// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"strconv"
	"strings"
	"testing"
)

// published holds the facts of testdata/macos.txt, and which of them were compared.
type published struct {
	funcs   map[string][]string // the result and the arguments
	sizes   map[string]int64
	members map[string]map[string][2]int64 // of each struct: offset and size
	consts  map[string]int64
	used    map[string]bool
}

func readPublished(t *testing.T, name string) *published {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &published{map[string][]string{}, map[string]int64{}, map[string]map[string][2]int64{}, map[string]int64{}, map[string]bool{}}
	sources := map[string]bool{}
	origin, last := "", ""
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		number := func(i int) int64 {
			v, err := strconv.ParseInt(words[i], 10, 64)
			if err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			return v
		}
		switch kind := words[0]; {
		case kind == "source" && len(words) == 5 && len(words[3]) == 40:
			sources[words[1]] = true
		case kind == "file" && len(words) == 3 && sources[words[1]]:
			origin = words[2]
		case origin == "":
			t.Fatalf("%s:%d: a fact without its origin", name, n)
		case kind == "func" && len(words) > 2:
			p.funcs[words[1]] = words[2:]
		case kind == "struct" && len(words) == 3:
			last, p.sizes[words[1]], p.members[words[1]] = words[1], number(2), map[string][2]int64{}
		case kind == "member" && len(words) == 4 && last != "":
			p.members[last][words[1]] = [2]int64{number(2), number(3)}
		case kind == "const" && len(words) == 3:
			p.consts[words[1]] = number(2)
		default:
			t.Fatalf("%s:%d: not a fact: %s", name, n, lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// named says which published name a constant or a struct of ours, or a struct of x/sys, is for.
var named = map[string]string{
	"perf.infoVersion": "RUSAGE_INFO_V4", "perf.countsCPI": "THSC_CPI", "perf.kpcPower": "KPC_CLASS_POWER_MASK", "perf.kpcMost": "KPC_MAX_COUNTERS",
	"perf.macEPERM": "EPERM", "perf.macENOENT": "ENOENT", "perf.macEACCES": "EACCES", "perf.macEBUSY": "EBUSY", "perf.macEINVAL": "EINVAL", "perf.macENOTSUP": "ENOTSUP",
	"perf.kpepInvalidArgument": "KPEP_CONFIG_ERROR_INVALID_ARGUMENT", "perf.kpepOutOfMemory": "KPEP_CONFIG_ERROR_OUT_OF_MEMORY",
	"perf.kpepIO": "KPEP_CONFIG_ERROR_IO", "perf.kpepBufferTooSmall": "KPEP_CONFIG_ERROR_BUFFER_TOO_SMALL",
	"perf.kpepSystemUnknown": "KPEP_CONFIG_ERROR_CUR_SYSTEM_UNKNOWN", "perf.kpepPathInvalid": "KPEP_CONFIG_ERROR_DB_PATH_INVALID",
	"perf.kpepNoDatabase": "KPEP_CONFIG_ERROR_DB_NOT_FOUND", "perf.kpepOtherArchitecture": "KPEP_CONFIG_ERROR_DB_ARCH_UNSUPPORTED",
	"perf.kpepOtherVersion": "KPEP_CONFIG_ERROR_DB_VERSION_UNSUPPORTED", "perf.kpepCorrupt": "KPEP_CONFIG_ERROR_DB_CORRUPT",
	"perf.kpepNoEvent": "KPEP_CONFIG_ERROR_EVENT_NOT_FOUND", "perf.kpepConflict": "KPEP_CONFIG_ERROR_CONFLICTING_EVENTS",
	"perf.kpepNotForced": "KPEP_CONFIG_ERROR_COUNTERS_NOT_FORCED", "perf.kpepNoCounter": "KPEP_CONFIG_ERROR_EVENT_UNAVAILABLE", "perf.kpepErrno": "KPEP_CONFIG_ERROR_ERRNO",
	"perf.selfCounts": "thsc_cpi", "perf.rusageInfo": "rusage_info_v4",
	"unix.Kevent_t": "kevent", "unix.Timespec": "timespec", "unix.Rusage": "rusage",
}

// goTypes are the types of Go for those of C.
var goTypes = map[string]string{
	"int": "int32", "uint32_t": "uint32", "uint64_t": "uint64", "size_t": "uintptr", "char": "byte",
	"kpep_db*": "kpepDB", "kpep_config*": "kpepConfig", "kpep_event*": "kpepEvent",
}

// fits reports whether a Go type, without the names of packages, is that of C. void* fits every pointer to a struct of ours.
func fits(c, inGo string) bool {
	if c == "void*" {
		return named["perf."+strings.TrimPrefix(inGo, "*")] != ""
	}
	if known := goTypes[c]; known != "" {
		return known == inGo
	}
	to, pointer := strings.CutSuffix(c, "*")
	return pointer && strings.HasPrefix(inGo, "*") && fits(to, inGo[1:])
}

// compareFunc returns how the signature of a Go function differs from that of the C function that it calls.
func (p *published) compareFunc(name string, s *types.Signature) string {
	c, ok := p.funcs[name]
	if !ok {
		return "no published declaration of " + name
	}
	p.used[name] = true
	var got []string
	for v := range s.Params().Variables() {
		got = append(got, types.TypeString(v.Type(), func(*types.Package) string { return "" }))
	}
	same := len(got) == len(c)-1
	for i := 0; same && i < len(got); i++ {
		same = fits(c[i+1], strings.ReplaceAll(got[i], "uint8", "byte"))
	}
	if !same {
		return fmt.Sprintf("%s has the arguments %s, published are %s", name, got, c[1:])
	}
	return ""
}

// compareStruct returns how the layout of a struct differs.
func (p *published) compareStruct(name string, t types.Type, sizes types.Sizes) (bad []string) {
	size, ok := p.sizes[name]
	if !ok {
		return []string{"no published layout of " + name}
	}
	p.used[name] = true
	if got := sizes.Sizeof(t); got != size {
		bad = append(bad, fmt.Sprintf("struct %s has %d bytes, published are %d", name, got, size))
	}
	byName := map[string][2]int64{}
	for member, at := range p.members[name] {
		if _, after, ok := strings.Cut(member, "_"); ok {
			member = after
		}
		byName[member] = at
	}
	var fields []*types.Var
	for f := range t.Underlying().(*types.Struct).Fields() {
		fields = append(fields, f)
	}
	for i, offset := range sizes.Offsetsof(fields) {
		f := strings.ToLower(fields[i].Name())
		if at, ok := byName[f]; f == "_" || strings.HasPrefix(f, "pad") {
			continue
		} else if got := [2]int64{offset, sizes.Sizeof(fields[i].Type())}; !ok || got != at {
			bad = append(bad, fmt.Sprintf("struct %s has %s at offset and size %d, published are %d", name, f, got, at))
		}
		delete(byName, f)
	}
	for member := range byName {
		bad = append(bad, fmt.Sprintf("struct %s has no %s", name, member))
	}
	return bad
}

func (p *published) compareConst(name string, v constant.Value) string {
	want, ok := p.consts[name]
	if !ok {
		return "no published value of " + name
	}
	p.used[name] = true
	if got, exact := constant.Int64Val(v); !exact || got != want {
		return fmt.Sprintf("%s is %v, published is %d", name, v, want)
	}
	return ""
}

// compare returns how the declarations in a package that was checked differ from what is published.
func (p *published) compare(pkg *types.Package, info *types.Info, files []*ast.File, sizes types.Sizes) (bad []string) {
	say := func(text string) {
		if text != "" {
			bad = append(bad, text)
		}
	}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		switch c := named[pkg.Name()+"."+name]; object := object.(type) {
		case *types.Const:
			if c != "" {
				say(p.compareConst(c, object.Val()))
			} else if strings.HasPrefix(name, "kpep") && name != "kpepUserOnly" || strings.HasPrefix(name, "mac") {
				say("no published name of " + name)
			}
		case *types.TypeName:
			if c != "" {
				bad = append(bad, p.compareStruct(c, object.Type(), sizes)...)
			}
		}
	}
	reached := map[string]int{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.Ident); ok && strings.HasPrefix(fun.Name, "bind") && len(n.Args) == 3 {
					symbol, err := strconv.Unquote(n.Args[1].(*ast.BasicLit).Value)
					to := info.Types[n.Args[2]].Type.(*types.Pointer).Elem().(*types.Signature)
					if err != nil {
						say(err.Error())
					}
					say(p.compareFunc(symbol, to))
				}
			case *ast.SelectorExpr:
				used := info.Uses[n.Sel]
				if used == nil || used.Pkg() == nil {
					break
				}
				switch of := used.Pkg().Name(); object := used.(type) {
				case *types.Const:
					if of == "unix" {
						say(p.compareConst(object.Name(), object.Val()))
					}
				case *types.TypeName:
					if c := named["unix."+object.Name()]; of == "unix" && c != "" {
						bad = append(bad, p.compareStruct(c, object.Type(), sizes)...)
					}
				case *types.Func:
					if of == "purego" {
						reached[object.Name()]++
					}
				}
			}
			return true
		})
	}
	for name, n := range reached { // so that no C function is called without a binding
		if n != 1 || name != "Dlopen" && name != "Dlsym" && name != "SyscallN" {
			say(fmt.Sprintf("purego.%s is used %d times", name, n))
		}
	}
	return bad
}

func TestWhatIsDeclaredOfMacOSIsAsPublished(t *testing.T) {
	p := readPublished(t, "testdata/macos.txt")
	tree, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	l := newLoader(tree)
	for _, arch := range []string{"arm64", "amd64"} {
		packages, err := tree.list("darwin/"+arch, "./clock", "./pace", "./perf")
		if err != nil {
			t.Fatal(err)
		}
		l.on("darwin/"+arch, packages)
		for _, name := range []string{"clock", "pace", "perf"} {
			listed, info := packages[tree.module+"/"+name], newInfo()
			pkg, err := l.check(listed, listed.ImportPath, config(l.platform), info)
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range p.compare(pkg, info, l.filesOf(listed), types.SizesFor("gc", arch)) {
				t.Errorf("%s on %s: %s", name, arch, bad)
			}
		}
	}
	for _, facts := range []int{len(p.funcs), len(p.sizes), len(p.consts)} {
		if facts == 0 {
			t.Error("no facts of a kind")
		}
	}
	for name := range p.funcs {
		if !p.used[name] {
			t.Errorf("nothing here declares %s", name)
		}
	}
	for name := range p.sizes {
		if !p.used[name] {
			t.Errorf("nothing here declares struct %s", name)
		}
	}
	for name := range p.consts {
		if !p.used[name] {
			t.Errorf("nothing here declares %s", name)
		}
	}
}

func TestDeclarationsThatDifferFromThePublishedAreFound(t *testing.T) {
	facts := readPublished(t, "testdata/macos.txt")
	pkg := types.NewPackage("p", "p")
	one := func(kind types.BasicKind) *types.Var { return types.NewVar(token.NoPos, pkg, "", types.Typ[kind]) }
	takes := func(v ...*types.Var) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(v...), nil, false)
	}
	for _, c := range []struct {
		name string
		s    *types.Signature
		ok   bool
	}{
		{"kpc_set_counting", takes(one(types.Uint32)), true},
		{"kpc_set_counting", takes(one(types.Int32)), false},
		{"kpc_set_counting", takes(one(types.Uint64)), false},
		{"kpc_set_counting", takes(), false},
		{"kpc_set_counting", takes(one(types.Uint32), one(types.Uint32)), false},
		{"kpc_set_everything", takes(one(types.Uint32)), false},
	} {
		if bad := facts.compareFunc(c.name, c.s); (bad == "") != c.ok {
			t.Errorf("%s%s: %q", c.name, c.s, bad)
		}
	}
	field := func(name string, kind types.BasicKind) *types.Var {
		return types.NewField(token.NoPos, pkg, name, types.Typ[kind], false)
	}
	for _, c := range []struct {
		fields []*types.Var
		ok     bool
	}{
		{[]*types.Var{field("instructions", types.Uint64), field("cycles", types.Uint64)}, true},
		{[]*types.Var{field("cycles", types.Uint64), field("instructions", types.Uint64)}, false},
		{[]*types.Var{field("instructions", types.Uint64), field("_", types.Uint64)}, false},
		{[]*types.Var{field("instructions", types.Uint32), field("cycles", types.Uint64)}, false},
		{[]*types.Var{field("instructions", types.Uint64), field("cycles", types.Uint64), field("x", types.Uint64)}, false},
	} {
		if bad := facts.compareStruct("thsc_cpi", types.NewStruct(c.fields, nil), types.SizesFor("gc", "arm64")); (bad == nil) != c.ok {
			t.Errorf("%v: %q", c.fields, bad)
		}
	}
	for value, ok := range map[int64]bool{4: true, 5: false} {
		if bad := facts.compareConst("RUSAGE_INFO_V4", constant.MakeInt64(value)); (bad == "") != ok {
			t.Errorf("%d: %q", value, bad)
		}
	}
}

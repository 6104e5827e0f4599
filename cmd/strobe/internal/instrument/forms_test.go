// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reporting makes a program print, by its function report, the zones that were called, and how often.
func reporting(t *testing.T, p *Plan, dir string) {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	i := slices.IndexFunc(p.Args, func(a string) bool { return strings.HasPrefix(a, "-overlay=") })
	text, err := os.ReadFile(strings.TrimPrefix(p.Args[i], "-overlay="))
	if err != nil || json.Unmarshal(text, &overlay) != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "zz_report.go")
	overlay.Replace[filepath.Join(dir, "zz_report.go")] = file
	if err := write(file, []byte(`package main

import (
	"fmt"
	"path/filepath"

	"github.com/strobe-go/strobe"
)

func init() {
	report = func() {
		s := strobe.TakeSnapshot()
		calls := make([]uint64, len(s.Zones))
		for _, l := range s.Lanes {
			for _, z := range l.Zones {
				calls[z.Zone] += z.Calls
			}
		}
		for i, z := range s.Zones {
			if !z.Wait {
				fmt.Println(z.Name, filepath.Base(z.Where), calls[i])
			}
		}
	}
}
`)); err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "overlay.json")
	if text, err = json.Marshal(overlay); err == nil {
		err = write(changed, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Args[i] = "-overlay=" + changed
}

// forms is a module with functions of all forms.
var forms = map[string]string{
	"go.mod": "module example.com/forms\n\ngo 1.23\n",
	"main.go": `package main

import (
	_ "embed"
	"fmt"
	"iter"
	"runtime"
	"strings"
)

var report = func() {}

//go:embed words.txt
var words string

// A method that is called through an interface before the zones of later files would be ready.
var early = fmt.Sprint(loud("early"))

type loud string

//go:noinline
func (l loud) String() string { return strings.ToUpper(string(l)) }

func main() {
	fmt.Print(early, words, tagged())
	fmt.Println(named(3), oneLine(2), pick[int](4), labelled(), recovered())
	l := list[string]{}
	l.push("a")
	fmt.Println(l.items, sum(counted(4)), closures())
	fmt.Println(generated())
	report()
}

//go:noinline
func named(n int) (sum int) {
	defer func() { sum++ }()
	return n
}

//go:noinline
func oneLine(n int) string { return fmt.Sprint(n) + where() }

//go:noinline
func where() string { _, file, line, _ := runtime.Caller(1); return fmt.Sprint(" ", file, ":", line) }

//go:noinline
func pick[T any](v T) string { return fmt.Sprint(v) }

type list[T any] struct{ items []T }

//go:noinline
func (l *list[T]) push(v T) { l.items = append(l.items, v); fmt.Sprint() }

//go:noinline
func labelled() (n int) {
again:
	if n++; n < 3 {
		fmt.Sprint()
		goto again
	}
	return n
}

func recovered() (said string) {
	defer handle(&said)
	panic("caught")
}

func handle(said *string) {
	if r := recover(); r != nil {
		*said = fmt.Sprint(r)
	}
}

func counted(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

//go:noinline
func sum(all iter.Seq[int]) (n int) {
	for i := range all {
		if i == 3 {
			return n
		}
		n += i
	}
	return n
}

//go:noinline
func closures() string {
	f := func() string {
		defer fmt.Sprint()
		return "in" + where()
	}
	return f()
}

//go:nosplit
func quick() {}

func init() { quick() }
`,
	"grammar.go": `package main

//line grammar.y:20
//go:noinline
func generated() string {
	return where()
}
`,
	"tagged.go":   "//go:build special\n\npackage main\n\nimport \"fmt\"\n\nfunc tagged() string { return fmt.Sprintln(\"special\") + fmt.Sprint() }\n",
	"untagged.go": "//go:build !special\n\npackage main\n\nfunc tagged() string { return \"plain\\n\" }\n",
	"words.txt":   "embedded\n",
}

func TestFunctionsOfAllFormsAreCounted(t *testing.T) {
	r := Request{Flags: []string{"-tags=special"}, Closures: true}
	var plain string
	p, program := build(t, forms, r, func(t *testing.T, p *Plan, dir string) {
		plain = run(t, ordinary(t, dir, "-tags=special"))
		reporting(t, p, dir)
	})
	printed := run(t, program)
	counts, ok := strings.CutPrefix(printed, plain+"\n")
	if !ok || !strings.Contains(plain, "grammar.y:22") {
		t.Fatalf("prints\n%s, want\n%s", printed, plain)
	}
	if want := `main.generated grammar.y:21 1
main.loud.String main.go:22 1
main.main main.go:24 0
main.named main.go:35 1
main.oneLine main.go:41 1
main.where main.go:44 3
main.pick[...] main.go:47 1
main.(*list[...]).push main.go:52 1
main.labelled main.go:55 1
main.recovered main.go:64 1
main.handle main.go:69 1
main.sum main.go:86 1
main.closures main.go:97 1
main.closures.func1 main.go:98 1
main.tagged tagged.go:7 1`; counts != want {
		t.Errorf("counts\n%s, want\n%s", counts, want)
	}
	reasons := map[string]string{}
	for _, l := range p.LeftOut {
		reasons[l.Name] = l.Reason
	}
	for name, want := range map[string]string{"main.counted": isSmall, "main.init": "runs once, before main", "main.quick": "has the directive go:nosplit", "main.named.func1": isSmall} {
		if reasons[name] != want {
			t.Errorf("%s is left out for %q, want %q", name, reasons[name], want)
		}
	}
}

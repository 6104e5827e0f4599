// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// divided returns which zones a plan has, and which functions it leaves out because of their cost.
func divided(p *Plan) (zones, out []string) {
	for _, z := range p.Zones {
		zones = append(zones, z.Name)
	}
	for _, f := range p.LeftOut {
		if f.Reason == isCostly {
			out = append(out, f.Name)
		}
	}
	return zones, out
}

func TestZonesThatSlowedAnEarlierRunAreLeftOut(t *testing.T) {
	t.Setenv("GOCACHE", goCache(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/costly\n\ngo 1.24\n",
		"main.go": `package main

import (
	"net/http"
	"os"
)

func main() { read(); named(); http.HandleFunc("/", handle) }

//go:noinline
func read() {
	text, err := os.ReadFile("x")
	println(len(text), err)
}

//go:noinline
func named() { println(os.Getenv("x")) }

func handle(w http.ResponseWriter, r *http.Request) { println(os.Getenv("y")) }
`,
	} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	prepare := func(r Request) *Plan {
		t.Helper()
		r.Dir = dir
		p, err := Prepare(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	p := prepare(Request{})
	before, out := divided(p)
	for _, want := range []string{"main.main", "main.read", "main.named", "main.handle", "os.ReadFile in main.read"} {
		if !slices.Contains(before, want) {
			t.Fatalf("%s is not among %q", want, before)
		}
	}
	if out != nil {
		t.Fatalf("%q are left out before any run", out)
	}
	var found []Costly
	for _, z := range p.Zones {
		if z.Stays != (z.Kind == shape.Unit || z.Name == "main.main") {
			t.Errorf("%s stays: %v", z.Name, z.Stays)
		}
		found = append(found, Costly{z.Package, z.Name, 0.5, 0.25})
	}
	if kept, err := p.Note(found); !kept || err != nil {
		t.Fatal(kept, err)
	}

	p = prepare(Request{})
	if zones, out := divided(p); !slices.Equal(zones, []string{"main.main", "main.handle"}) || !slices.Equal(out, []string{"main.read", "main.named"}) {
		t.Errorf("after it, zones %q, and %q are left out", zones, out)
	}
	if len(p.Costly) != 3 || p.Costly[0].Share != 0.5 {
		t.Errorf("the plan says %+v", p.Costly)
	}
	if zones, _ := divided(prepare(Request{Zones: []string{"main.named"}})); !slices.Contains(zones, "main.named") {
		t.Errorf("a function that is asked for by name is left out of %q", zones)
	}
	if kept, err := p.Note(nil); kept || err != nil {
		t.Errorf("nothing is kept: %v, %v", kept, err)
	}
	if _, out := divided(prepare(Request{})); len(out) != 2 {
		t.Errorf("a run that was not slowed by the others brings back all but %q", out)
	}

	all := prepare(Request{Costly: true})
	if zones, out := divided(all); !slices.Equal(zones, before) || out != nil {
		t.Errorf("of all functions, zones %q and %q are left out", zones, out)
	}
	if _, err := all.Note(nil); err != nil {
		t.Error(err)
	}
	if zones, _ := divided(prepare(Request{})); !slices.Equal(zones, before) {
		t.Errorf("when a run of all was not slowed, zones %q", zones)
	}
}

// With flags that change how fast a program is, other zones are too costly.
func TestWhatWasFoundIsThatOfAProgram(t *testing.T) {
	s, of := &store{base: "base"}, Request{Package: "./a", Flags: []string{"-tags=x", "-buildvcs=false"}, Zones: []string{"a"}}
	for _, x := range []struct {
		r    Request
		same bool
	}{
		{Request{Package: "./a"}, true}, {Request{Package: "./a", Costly: true, Skip: []string{"x"}}, true}, {Request{Package: "./b"}, false},
		{Request{Package: "./a", Test: true}, false}, {Request{Package: "./a", Flags: []string{"-race"}}, false}, {Request{Package: "./a", Dir: "b"}, false},
		{Request{Package: "./a", Flags: []string{"--gcflags=all=-N"}}, false},
	} {
		if got := s.costlyFile(x.r) == s.costlyFile(of); got != x.same {
			t.Errorf("%+v: the same file: %v", x.r, got)
		}
	}
}

func TestWhatIsNotReadableIsNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "costly.json")
	for _, text := range []string{"", "{", `{"a":1}`} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if all := readCostly(file); all != nil {
			t.Errorf("%q: %v", text, all)
		}
	}
	if kept, err := new(Plan).Note([]Costly{{}}); kept || err != nil {
		t.Errorf("without a folder: %v, %v", kept, err)
	}
}

func goCache(t *testing.T) string {
	t.Helper()
	out, err := Request{}.run(t.Context(), "env", "GOCACHE")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

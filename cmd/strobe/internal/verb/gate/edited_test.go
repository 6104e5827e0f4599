// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
)

func TestEditsAreReadFromADifference(t *testing.T) {
	got := parseEdits(`diff --git a/p/a.go b/p/a.go
index 1..2 100644
--- a/p/a.go
+++ b/p/a.go
@@ -3 +3,2 @@ func A() {
-@@ -9 +9 @@
+++ b/not/a/header
+more
@@ -10,2 +11,0 @@
--- a/x
-y
diff --git a/gone.go b/gone.go
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-package p
diff --git a/b.go b/b.go
--- a/b.go
+++ b/b.go
@@ -7 +7 @@
-a
\ No newline at end of file
+b
`)
	want := edits{"p/a.go": {{3, 2}, {11, 0}}, "/dev/null": {{0, 0}}, "b.go": {{7, 1}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, c := range []struct {
		hunk
		within bool
	}{{hunk{4, 1}, false}, {hunk{5, 1}, true}, {hunk{9, 1}, true}, {hunk{10, 3}, false}, {hunk{1, 4}, false}, {hunk{1, 5}, true}, {hunk{4, 0}, false}, {hunk{5, 0}, true}, {hunk{9, 0}, false}} {
		if c.hunk.within(5, 9) != c.within {
			t.Errorf("%v within 5 to 9: %v", c.hunk, !c.within)
		}
	}
}

// Of the functions whose cost grew, the one that the request edits is marked.
func TestAnEditedFunctionIsMarked(t *testing.T) {
	before := files{
		"go.mod":      goMod,
		"sub/p.go":    "package p\n\nfunc helper(n int) (s int) {\n\tfor i := range n {\n\t\ts ^= i\n\t}\n\treturn s\n}\n\n// Outer calls it.\nfunc Outer() int {\n\treturn helper(100)\n}\n\nfunc All() int {\n\treturn Outer()\n}\n",
		"p_test.go":   test(loop("Outer", "100")),
		"sub/x.go":    "package p\n\nfunc x() {}\n",
		"sub/same.go": "package p\n\nfunc same() {\n}\n",
	}
	after := files{"sub/p.go": strings.Replace(before["sub/p.go"], "helper(100)", "helper(100) + helper(200)", 1), "sub/new.go": "package p\n\nfunc fresh() {\n}\n"}
	dir := repository(t, before)
	edit(t, after)
	in, err := worktree.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p := &pkg{path: "m/sub"}
	p.dirs[newSide] = filepath.Join(dir, "sub")
	if real, err := os.Getwd(); err == nil {
		p.dirs[newSide] = filepath.Join(real, "sub")
	}
	m := &measurement{flags: &Flags{}, checkout: &checkout{Checkout: in, base: in.Head}}
	function := func(name string, line int, own, total profdiff.Change) profdiff.Function {
		file := "m/sub/p.go"
		if name == "m/sub.fresh" {
			file = "m/sub/new.go"
		}
		return profdiff.Function{Name: name, Source: profdiff.Source{File: file, Line: line}, Own: own, Total: total}
	}
	none := ns(1, 1, 5, false)
	helper := function("m/sub.helper", 3, ns(50, 150, 5, true), ns(50, 150, 5, true))
	outer := function("m/sub.Outer", 11, none, ns(60, 160, 5, true))
	all := function("m/sub.All", 15, none, ns(70, 170, 5, true))
	fresh := function("m/sub.fresh", 3, ns(0, 15, 5, true), ns(0, 15, 5, true))
	for _, state := range []string{"not committed", "committed"} {
		m.edits = m.checkout.edits(context.Background())
		for name, c := range map[string]struct {
			functions []profdiff.Function
			file      string
			line      int
		}{
			"a caller that was edited":               {[]profdiff.Function{helper, all, outer}, "sub/p.go", 11},
			"a cause in a new file":                  {[]profdiff.Function{helper, outer, fresh}, "sub/new.go", 3},
			"a cause, where nothing slow was edited": {[]profdiff.Function{helper, all}, "sub/p.go", 3},
			"a caller that explains too little":      {[]profdiff.Function{helper, function("m/sub.Outer", 11, none, ns(60, 80, 5, true))}, "sub/p.go", 3},
			"a caller that may be as before":         {[]profdiff.Function{helper, function("m/sub.Outer", 11, none, ns(60, 160, 200, false))}, "sub/p.go", 3},
		} {
			e := &explanation{compared: profdiff.Comparison{Cost: profdiff.Cost{Call: [2]float64{100, 200}}, Functions: c.functions}}
			if file, line := m.source(&benchmark{pkg: p, name: "B", explained: e}); file != c.file || line != c.line {
				t.Errorf("%s, %s: %s:%d, want %s:%d", state, name, file, line, c.file, c.line)
			}
		}
		run(t, "git", "add", "-A")
		run(t, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "after")
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"strings"
	"testing"
)

func TestCallsInACircleAreFound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		says  string // "" for no circle
	}{
		{"one way", map[string]string{
			"a.go": "func a() { b() }", "b.go": "func b() { c() }", "c.go": "func c() {}",
		}, ""},
		{"functions", map[string]string{
			"a.go": "func a() { b() }", "b.go": "func b() { a() }",
		}, "a.go -> b.go (a calls b) -> a.go (b calls a)"},
		{"three files, of which two are a shorter circle", map[string]string{
			"a.go": "func a() { b() }", "b.go": "func b() { c() }", "c.go": "func c() { a(); b() }",
		}, "b.go -> c.go (b calls c) -> b.go (c calls b)"},
		{"a method of a type of another package's generic", map[string]string{
			"a.go": "import \"sync/atomic\"\n\ntype t struct{ p atomic.Pointer[t] }\n\nfunc (x *t) up() { down(x) }",
			"b.go": "func down(x *t) { x.p.Load().up() }",
		}, "a.go -> b.go (t.up calls down) -> a.go (down calls up)"},
		{"a generic function", map[string]string{
			"a.go": "func a[T any](x T) { b() }", "b.go": "func b() { a(1) }",
		}, "(b calls a)"},
		{"a function passed on", map[string]string{
			"a.go": "func a() { b() }", "b.go": "func b() { func(func()) {}(a) }",
		}, "(b calls a)"},
		{"a function variable", map[string]string{
			"a.go": "var a func()\n\nfunc set() { a = b }", "b.go": "func b() { a() }",
		}, "a.go -> b.go (set calls b) -> a.go (b calls a)"},
		{"an interface names no function", map[string]string{
			"a.go": "type i interface{ up() }\n\ntype t struct{}\n\nfunc (t) up() { down(t{}) }", "b.go": "func down(x i) { x.up() }",
		}, ""},
		{"types and constants are no calls", map[string]string{
			"a.go": "type t int\n\nfunc a() { b(1) }", "b.go": "func b(x t) {}",
		}, ""},
		{"on Windows alone", map[string]string{
			"a.go": "func a() { b() }", "b_windows.go": "func b() { a() }", "b_linux.go": "func b() {}",
		}, "a.go -> b_windows.go (a calls b) -> a.go (b calls a)"},
		{"twins are two files", map[string]string{
			"a.go": "func a() { b() }", "b_windows.go": "func b() { c() }", "b_linux.go": "func b() {}\n\nfunc d() { a() }", "c.go": "func c() {}",
		}, "a.go -> b_linux.go"},
		{"twins do not lead through each other", map[string]string{
			"a.go": "func a() { b() }", "b_windows.go": "func b() {}", "b_linux.go": "func b() {}",
			"c_windows.go": "func c() { a() }", "c_linux.go": "func c() {}", "d.go": "func d() { c() }",
		}, ""},
		{"a use of the same name elsewhere", map[string]string{
			"a.go": "func a() { b() }", "b.go": "func b() { a := func() {}; a() }",
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			policy := mustParse(t, strings.Replace(plantedPolicy, "circles: clock\n", "circles:\n", 1))
			files := map[string]string{"clock/clock.go": "// Package clock is planted.\npackage clock\n\n// An Instant is documented.\ntype Instant int\n"}
			for name, text := range tt.files {
				files["clock/"+name] = "package clock\n\n" + text + "\n"
			}
			found, err := Check(plant(t, policy, files), policy)
			if err != nil {
				t.Fatal(err)
			}
			if tt.says == "" && len(found) > 0 || tt.says != "" &&
				(len(found) != 1 || found[0].Where != "clock" || found[0].Rule != "circle" || !strings.Contains(found[0].What, tt.says)) {
				t.Errorf("want %q; found:\n%s", tt.says, text(found))
			}
		})
	}
}

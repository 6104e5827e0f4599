// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// The benchmarks of the working tree run with the code of both sides, so that changing a benchmark does not look like a change of
// the code, and new benchmarks can be compared.
func TestBenchmarksRunWithTheCodeOfBothSides(t *testing.T) {
	measures(t)
	const (
		code = "package p\n\nfunc Work(n int) (s int) {\n\tfor i := range n {\n\t\ts ^= i * i\n\t}\n\treturn s\n}\n"
		ten  = "(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Work(100)\n\t}\n}"
		more = "(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Work(500)\n\t}\n}"
		only = "Only(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Other(100)\n\t}\n}"
	)
	slower := strings.Replace(code, "range n", "range 50 * n", 1)
	base := files{"go.mod": goMod, "p/p.go": code, "p/p_test.go": test("Kept"+ten, "Changed"+ten, "Gone"+ten), "q/q.go": strings.Replace(code, "package p", "package q", 1)}
	flags := []string{"HEAD~1", "--gate=100%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0"}

	// Only the tests have changed.
	repository(t, base, files{"p/p_test.go": test("Kept"+ten, "Changed"+more, "New"+ten)})
	o, code1 := object(t, flags...)
	if code1 != session.Done || !slices.Equal(o.Same, []string{"example.com/m/p (but for its tests)"}) {
		t.Errorf("exit %d, %q", code1, o.Same)
	}
	if o, code := object(t, append(flags, "--own-tests")...); code != session.GateFailed || o.benchmark("Changed").Outcome.String() != "failed" || len(o.Same) > 0 {
		t.Errorf("with their own tests: exit %d", code)
	}

	// The code has changed too, and a package has its first benchmark.
	repository(t, base, files{"p/p.go": slower, "p/p_test.go": test("Kept"+ten, "Changed"+more, "New"+ten), "q/q.go": strings.Replace(slower, "package p", "package q", 1),
		"q/q_test.go": strings.Replace(test("First"+ten), "package p", "package q", 1)})
	o, code1 = object(t, append(flags, "--layouts=2")...)
	for _, name := range []string{"Kept", "Changed", "New", "First"} {
		b := o.benchmark(name)
		if b.Outcome.String() != "failed" || !b.Ratio.Known() || b.Ratio.Center < 5 || b.Rewritten != (name != "Kept") || strings.Contains(b.Sentence, "itself was changed") {
			t.Errorf("%s: %+v", name, b)
		}
	}
	if code1 != session.GateFailed || !slices.Equal(o.Vanished, []string{"example.com/m/p.Gone"}) || len(o.Added) > 0 || o.Layouts != 2 || !has(o.Notes, "new or changed", "p.Changed, p.New, q.First") {
		t.Errorf("exit %d, %q, %q, %q", code1, o.Vanished, o.Added, o.Notes)
	}

	// The new tests do not build with the code of the base, which then runs its own.
	repository(t, base, files{"p/p.go": slower + "\nfunc Other(n int) int { return n }\n", "p/p_test.go": test("Kept"+ten, "Changed"+more, only)})
	o, code1 = object(t, append(flags, "--base-name=Gone=")...)
	if b := o.benchmark("Kept"); code1 != session.GateFailed || b.Outcome.String() != "failed" || b.Rewritten {
		t.Errorf("exit %d, %+v", code1, b)
	}
	if b := o.benchmark("Changed"); !b.Rewritten || !strings.Contains(b.Sentence, "the benchmark itself was changed") {
		t.Errorf("%+v", b)
	}
	if !slices.Equal(o.Added, []string{"example.com/m/p.Only"}) || !slices.Equal(o.Vanished, []string{"example.com/m/p.Gone"}) {
		t.Errorf("%q, %q", o.Added, o.Vanished)
	}
}

// If a package has only tests, these are judged.
func TestAPackageOfTestsAloneIsMeasured(t *testing.T) {
	measures(t)
	repository(t, files{"go.mod": goMod, "p_test.go": test(loop("A", "100"))}, files{"p_test.go": test(loop("A", "5000"))})
	o, code := object(t, "HEAD~1", "--gate=100%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0")
	if b := o.benchmark("A"); code != session.GateFailed || b.Outcome.String() != "failed" || !b.Rewritten || len(o.Same) > 0 {
		t.Errorf("exit %d, %+v, %q", code, b, o.Same)
	}
}

// The tests of the working tree are compared even if those of the base fail.
func TestTestsOfTheBaseThatFailAreNoHindrance(t *testing.T) {
	measures(t)
	const (
		code  = "package p\n\nfunc Work() int { return 1 }\n"
		works = "Works(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Work()\n\t}\n}"
	)
	broken := test(works) + "\nfunc TestMain(m *testing.M) { panic(\"no database\") }\n"
	repository(t, files{"go.mod": goMod, "p.go": code, "p_test.go": broken}, files{"p.go": strings.Replace(code, "return 1", "return 2", 1), "p_test.go": test(works)})
	o, code1 := object(t, "HEAD~1", "--gate=9900%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0")
	if b := o.benchmark("Works"); code1 != session.Done || b.Outcome.String() != "passed" || len(o.Broken) > 0 {
		t.Errorf("exit %d, %+v, %q", code1, b, o.Broken)
	}
}

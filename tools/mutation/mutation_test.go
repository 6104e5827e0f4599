// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// planted has code that its test checks, code that it runs without checking, and code that it does not run.
var planted = map[string]string{
	"go.mod": "module example.com/planted\n\ngo 1.24.0\n",
	"p.go": `package planted

func clamp(x, low int) int {
	if x < low {
		return low
	}
	return x
}

func double(x int) int {
	return x * 2
}

func kind(x int) string {
	switch {
	case x == 1:
		return "one"
	}
	return "many"
}

func far(x int) bool { return x > 10 }

func never() int { return 1 + 2 }

func text() string { return "a" + "b" }

func count(n int) int {
	total := 0
	for i := 0; i < n; i++ {
		total++
	}
	return total
}
`,
	"p_test.go": `package planted

import "testing"

func TestClamp(t *testing.T) {
	if clamp(1, 2) != 2 || clamp(4, 2) != 4 || double(3) != 6 {
		t.Fail()
	}
}

func TestKind(t *testing.T) {
	if kind(1) != "one" || kind(2) != "many" || count(3) != 3 || !far(20) || far(0) {
		t.Fail()
	}
}
`,
}

func plant(t *testing.T) {
	dir := t.TempDir()
	for name, text := range planted {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
}

func TestVerdictsOnAPlantedPackage(t *testing.T) {
	plant(t)
	target, err := find(t.Context(), ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := target.judge(t.Context(), 2, target.order(1, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]verdict{}
	for i := range verdicts {
		got[target.where(&target.mutants[i])] = verdicts[i]
	}
	for name, want := range map[string]verdict{
		"p.go clamp: x < low -> x <= low":   lived, // returns low, which is x
		"p.go far: x > 10 -> x >= 10":       lived,
		"p.go far: x > 10 -> x <= 10":       killed,
		"p.go clamp: x < low -> x >= low":   killed,
		"p.go double: x * 2 -> x / 2":       killed,
		"p.go kind: x == 1 -> x != 1":       killed, // a condition in no block of a coverage profile
		"p.go never: 1 + 2 -> 1 - 2":        uncovered,
		`p.go text: "a" + "b" -> "a" - "b"`: invalid,
		"p.go count: i < n -> i <= n":       killed,
		"p.go count: i++ -> i--":            timedOut,
		"p.go count: total++ -> total--":    killed,
		"p.go count: i < n -> i >= n":       killed,
	} {
		v, found := got[name]
		if !found {
			t.Errorf("no mutant %q", name)
		} else if v != want {
			t.Errorf("%s: verdict %d, want %d", name, v, want)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("a mutant that was not expected: %s", name)
	}

	s := target.score(verdicts, explanations{"p.go never: 1 + 2 -> 1 - 2": "on purpose"})
	if s.explained != 1 || len(s.survivors) != 2 || !strings.Contains(s.survivors[1], "far: x > 10 -> x >= 10") {
		t.Errorf("%d explained, survivors %q", s.explained, s.survivors)
	}
	if got, want := s.percent(), 100*9./11; got != want {
		t.Errorf("score %v, want %v", got, want)
	}
}

func TestASampleIsSaidToBeOne(t *testing.T) {
	target := &target{name: "p", mutants: make([]mutant, 1000)}
	verdicts := make([]verdict, len(target.mutants))
	for place, i := range target.order(1, 50) {
		verdicts[i] = killed
		if place < 5 {
			verdicts[i] = lived
		}
	}
	var out strings.Builder
	target.score(verdicts, nil).print(&out, 0)
	// Wilson's interval of 45 in 50, as R's prop.test(45, 50, correct=FALSE) has it.
	if want := "p: a sample of 50 of 1000 mutants, [78.6, 95.7] %\np: 90.0 % killed"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if first, second := target.order(1, 50), target.order(2, 50); slices.Equal(first, second) || !slices.Equal(first, target.order(1, 0)[:50]) {
		t.Error("the seed does not choose the sample, or a sample is not the beginning of all")
	}
}

func TestATestThatFailsWithoutAChangeIsAnError(t *testing.T) {
	plant(t)
	if err := os.WriteFile("q_test.go", []byte("package planted\n\nimport \"testing\"\n\nfunc TestRed(t *testing.T) { t.Fail() }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	target, err := find(t.Context(), ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.judge(t.Context(), 2, target.order(1, 0), nil); err == nil || !strings.Contains(err.Error(), "TestRed fails alone") {
		t.Errorf("got error %v", err)
	}
	target.skip = regexp.MustCompile("Red$")
	if _, err := target.judge(t.Context(), 2, target.order(1, 1), nil); err != nil {
		t.Errorf("a test that is left out: %v", err)
	}
}

func TestTestsThatFailTogetherAreAnError(t *testing.T) {
	plant(t)
	if err := os.WriteFile("q_test.go", []byte(`package planted

import "testing"

var ran bool

func TestOne(t *testing.T)   { ran = true }
func TestOther(t *testing.T) { if ran { t.Fatal("after the other") } }
`), 0o666); err != nil {
		t.Fatal(err)
	}
	target, err := find(t.Context(), ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.judge(t.Context(), 2, target.order(1, 0), nil); err == nil || !strings.Contains(err.Error(), "after the other") {
		t.Errorf("got error %v", err)
	}
}

func TestEveryKindOfChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	for _, tt := range []struct {
		body string
		want []string
	}{
		{"return -a", []string{"-a -> a"}},
		{"return a &^ b", []string{"a &^ b -> a & b"}},
		{"a += b", []string{"a += b -> nothing", "a += b -> a -= b"}},
		{"f(a)", []string{"f(a) -> nothing"}},
		{"for { break }", []string{"break -> continue"}},
		{"if ok(a) { return }", []string{"ok(a) -> !ok(a)"}},
		{"if !ok(a) { return }", []string{"!ok(a) -> ok(a)"}},
		{"return max(a, b)", []string{"max(a, b) -> min(a, b)"}},
		{"a := b", nil},
		{"return a <= b", []string{"a <= b -> a < b", "a <= b -> a > b"}},
		{"switch { case a: f(b) }", []string{"f(b) -> nothing"}},
	} {
		if err := os.WriteFile(file, []byte("package x\n\nfunc (t *T[P]) g() {\n"+tt.body+"\n}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		found, err := mutants(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range found {
			if m.function != "T.g" {
				t.Errorf("function %q", m.function)
			}
			got = append(got, m.old+" -> "+m.new)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.body, got, tt.want)
		}
	}
}

func TestExplanationsNeedReasons(t *testing.T) {
	file := filepath.Join(t.TempDir(), "explained.txt")
	for text, ok := range map[string]bool{
		"# comment\n\na/b.go f: x -> y # because\n": true,
		"a/b.go f: x -> y\n":                        false,
		"a/b.go f: x -> y # \n":                     false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		known, err := readExplained(file)
		if (err == nil) != ok || ok && known["a/b.go f: x -> y"] != "because" {
			t.Errorf("%q: got %v, %v", text, known, err)
		}
	}
}

func TestTheTreesOwnExplanationsAreReadable(t *testing.T) {
	if _, err := readExplained("explained.txt"); err != nil {
		t.Error(err)
	}
}

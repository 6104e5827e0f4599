// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// held are the documents in which each sentence of a list has a test.
var held = []string{"docs/gate-sees.md", "docs/faults.md", "docs/capture.md", "SECURITY.md"}

func TestEverySentenceOfAListHasItsTest(t *testing.T) {
	tests := map[string]int{}
	if err := eachFile(root, func(path string) error {
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		pkg := filepath.Base(filepath.Dir(path))
		for _, m := range testNames.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]]++
			tests[pkg+"."+m[1]]++
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range held {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		claims := Claims(name, string(text))
		if len(claims) == 0 {
			t.Errorf("%s has no list", name)
		}
		for _, fault := range CheckClaims(claims, tests) {
			t.Error(fault)
		}
	}
}

func TestSentencesWithoutTestsAreFound(t *testing.T) {
	claims := Claims("a.md", "# A\n\nProse.\n* One\n  and more. <!-- test: TestA -->\n* Two. <!-- test: TestA TestB --> Three.\n  Four. <!-- test: TestC -->\n\nProse.\n- Five.\n# B\nProse.\n\n| a | b |\n|---|---|\n| c | d <!-- test: TestD --> |\n| e | f |\n\n<!-- test: TestE -->\n| a | b |\n|---|---|\n| g | h |\n| i | j <!-- test: TestF --> |\n\n| a |\n|---|\n| k |\n")
	var got []string
	for _, c := range claims {
		got = append(got, c.Text+" "+strings.Join(c.Tests, " "))
	}
	if want := []string{"One and more. TestA", "Two. TestA TestB", "Three. ", "Four. TestC", "Five. ", "| c | d | TestD", "| e | f | ", "| g | h | TestE", "| i | j | TestE TestF", "| k | "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var faults []string
	for _, err := range CheckClaims(claims, map[string]int{"TestA": 1, "TestB": 2, "TestD": 1, "TestE": 1, "TestF": 1}) {
		faults = append(faults, err.Error())
	}
	if want := []string{"a.md:6: 2 tests are called TestB, want one", `a.md:6: no test holds "Three.": name one behind it, as in <!-- test: TestName -->`,
		"a.md:6: 0 tests are called TestC, want one", `a.md:10: no test holds "Five.": name one behind it, as in <!-- test: TestName -->`,
		`a.md:17: no test holds "| e | f |": name one behind it, as in <!-- test: TestName -->`,
		`a.md:27: no test holds "| k |": name one behind it, as in <!-- test: TestName -->`}; !slices.Equal(faults, want) {
		t.Errorf("%q, want %q", faults, want)
	}
}

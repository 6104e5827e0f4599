// SPDX-License-Identifier: BSD-3-Clause

package goroot

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesAreReplacedWhereTheyHaveTheExpectedForm(t *testing.T) {
	source, dir := t.TempDir(), t.TempDir()
	os.Mkdir(filepath.Join(source, "p"), 0o777)
	original := filepath.Join(source, "p", "a.go")
	os.WriteFile(original, []byte("one two two three"), 0o666)
	for _, e := range []Edit{{"p/a.go", "four", "4"}, {"p/a.go", "two", "2"}, {"p/none.go", "one", "1"}} {
		if replace, err := Replace(source, dir, []Edit{e}); err == nil {
			t.Errorf("%v: %v", e, replace)
		}
	}
	replace, err := Replace(source, dir, []Edit{{"p/a.go", "one", "1"}, {"p/a.go", "three", "3"}})
	if err != nil || !maps.Equal(replace, map[string]string{original: filepath.Join(dir, "a.go")}) {
		t.Fatalf("%v, %v", replace, err)
	}
	if text, err := os.ReadFile(replace[original]); err != nil || string(text) != "1 two two 3" {
		t.Errorf("%s, %v", text, err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := Write(file, replace, map[string]string{original: "later"}); err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &overlay) != nil || overlay.Replace[original] != "later" {
		t.Errorf("%s, %v", text, err)
	}
}

// Package testing of the Go installation that runs the test can be edited with Uncut.
func TestThisInstallationsAllocationsCanBeUncut(t *testing.T) {
	source, err := Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	replace, err := Replace(source, t.TempDir(), []Edit{Uncut})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range replace {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "%8d allocs/op") || !strings.Contains(string(text), "float64(total)") {
			t.Errorf("%v: %s", err, file)
		}
	}
}

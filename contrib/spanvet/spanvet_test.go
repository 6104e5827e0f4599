// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestFindsSpansThatAreNotEndedAndNoOthers(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "a")
}

func TestFixesADeferredEnter(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "fix")
}

// This runs the command under go vet, on the same code with the real package strobe.
func TestRunsUnderGoVetOnTheRealPackage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Skip("outside the repository there is no package strobe to look at")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "spanvet")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", tool, "./cmd/spanvet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const folder = "api" // go vet goes into the folder, so it must be there; it holds no package of its own
	var want []string
	overlay := map[string]string{}
	for _, name := range []string{"dropped.go", "paths.go"} {
		file, err := filepath.Abs(filepath.Join("testdata", "src", "a", name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "// want") {
				want = append(want, fmt.Sprintf("%s:%d", name, i+1))
			}
		}
		overlay[filepath.Join(root, folder, name)] = file
	}
	replace, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, replace, 0o666); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", "-overlay="+list, "-vettool="+tool, "./"+folder)
	vet.Dir = root
	out, err := vet.CombinedOutput()
	if err == nil {
		t.Error("go vet finds nothing")
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)(dropped\.go|paths\.go):(\d+):\d+: `).FindAllStringSubmatch(string(out), -1) {
		got = append(got, m[1]+":"+m[2])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("go vet names %q, want %q:\n%s", got, want, out)
	}
}

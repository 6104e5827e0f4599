// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	_ "embed"
	"flag"
	"path/filepath"
	"testing"
)

//go:embed policy.txt
var policyText string

var update = flag.Bool("update", false, "rewrite api/*.txt")

const root = "../.."

func TestTreeKeepsToThePolicy(t *testing.T) {
	policy, err := ParsePolicy(policyText)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := Update(root, policy); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Check(root, policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// outside returns the folders of the modules outside the workspace.
func outside(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(root + "/contrib/*/go.mod")
	if err != nil || len(found) == 0 {
		t.Fatalf("no module in contrib: %v", err)
	}
	folders := []string{root + "/tools", root + "/examples"}
	for _, mod := range found {
		folders = append(folders, filepath.Dir(mod))
	}
	return folders
}

// The policy covers the imports of the library and the command. Other modules may import anything, but the rule for calls applies
// to them too.
func TestCallsOutsideTheWorkspaceFormNoCircles(t *testing.T) {
	policy, err := ParsePolicy(policyText)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range outside(t) {
		found, err := Circles(dir, policy)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found {
			t.Errorf("%s: %s", dir, v)
		}
	}
}

func TestModulesOutsideTheWorkspaceTypeCheckWithTheirTests(t *testing.T) {
	policy, err := ParsePolicy(policyText)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range outside(t) {
		found, err := Sound(dir, &Policy{Platforms: policy.Platforms[:1]})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found {
			t.Errorf("%s: %s", dir, v)
		}
	}
}

func TestEveryPlatformTypeChecksWithItsTests(t *testing.T) {
	policy, err := ParsePolicy(policyText)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Sound(root, policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// TestSizes logs how many names each package exports. There is no limit; see CONTRIBUTING.md.
func TestSizes(t *testing.T) {
	sizes, err := Sizes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		t.Logf("%3d names  %s", s.Names, s.Package)
	}
}

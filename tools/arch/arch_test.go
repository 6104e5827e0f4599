// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	_ "embed"
	"flag"
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

// Nobody imports the tools, so they may import what they like; the rules for a file and for calls hold.
func TestCallsOfToolsFormNoCircles(t *testing.T) {
	policy, err := ParsePolicy(policyText)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Circles("..", policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
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

// TestSizes logs how many names each package exports. No number is wrong; see CONTRIBUTING.md.
func TestSizes(t *testing.T) {
	sizes, err := Sizes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		t.Logf("%3d names  %s", s.Names, s.Package)
	}
}

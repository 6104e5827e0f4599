// SPDX-License-Identifier: BSD-3-Clause

package licences

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licenseclassifier/v2/assets"
)

var update = flag.Bool("update", false, "write docs/licences.md anew")

const page = "../../docs/licences.md"

// Licences under which programs of any licence may link a module, if they ship its notice.
var permissive = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense", "Zlib"}

func TestLicencesOfWhatIsLinkedAreListed(t *testing.T) {
	c, err := assets.DefaultClassifier()
	if err != nil {
		t.Fatal(err)
	}
	mods, err := filepath.Glob("../../contrib/*/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mods = append([]string{"../../go.mod", "../../cmd/strobe/go.mod"}, mods...)
	licences, by := map[string]string{}, map[string][]string{}
	for _, mod := range mods {
		folder := filepath.Dir(mod)
		linked, err := Linked(folder)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel("../..", folder)
		if err != nil {
			t.Fatal(err)
		}
		if name == "." {
			name = "the library"
		}
		for path, dir := range linked {
			by[path] = append(by[path], name)
			if licences[path] != "" {
				continue
			}
			names, err := Of(c, dir)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(permissive, n) }) {
				t.Errorf("%s, linked by %s, has the licences %q, of which none is known to be permissive", path, name, names)
			}
			licences[path] = strings.Join(names, ", ")
		}
	}
	if by["golang.org/x/sys"] == nil {
		t.Errorf("the library links %v", by)
	}
	table := "| module | licences | linked by |\n|---|---|---|\n"
	for _, path := range slices.Sorted(maps.Keys(by)) {
		table += fmt.Sprintf("| %s | %s | %s |\n", path, licences[path], strings.Join(by[path], ", "))
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "| module |")
	if *update {
		if err := os.WriteFile(page, []byte(head+table), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != head+table {
		t.Errorf("docs/licences.md does not list what is linked; remedy: go -C tools test ./licences -update\nwant\n%s", table)
	}
}

func TestLicencesAreKnownByTheirText(t *testing.T) {
	c, err := assets.DefaultClassifier()
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"BSD-3-Clause": string(own), "": "All rights reserved. You may not use this.\n"} {
		dir := t.TempDir()
		for name, text := range map[string]string{"LICENSE": text, "README.md": string(own)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Of(c, dir); err != nil || strings.Join(got, " ") != what {
			t.Errorf("%q, %v, want %q", got, err, what)
		}
	}
}

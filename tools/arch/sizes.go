// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"cmp"
	"slices"
)

// A Size is the size of a package's API.
type Size struct {
	Package string // as in the policy
	Names   int    // exported top-level names, and exported methods of exported types, on any platform
}

// Sizes returns the sizes of the public packages of the module at root, largest first.
func Sizes(root string) ([]Size, error) {
	t, err := readTree(root)
	if err != nil {
		return nil, err
	}
	var sizes []Size
	for _, dir := range t.packages() {
		files := t.sources(dir)
		if len(files) == 0 || files[0].nested || files[0].ast.Name.Name == "main" || internal(dir) {
			continue
		}
		exported := map[string]bool{}
		for _, f := range files {
			for _, d := range declarations(f.ast) {
				exported[d.name] = true
			}
		}
		sizes = append(sizes, Size{files[0].name, len(exported)})
	}
	slices.SortFunc(sizes, func(a, b Size) int {
		return cmp.Or(cmp.Compare(b.Names, a.Names), cmp.Compare(a.Package, b.Package))
	})
	return sizes, nil
}

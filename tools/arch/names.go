// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"path"
)

// checkNames requires that types with the same name in several packages say in their comments how they differ: each must name
// another one, such as stat.Histogram. Options are exempt.
func (c *checker) checkNames() {
	type public struct{ pkg, path, doc string }
	all := make(map[string]map[string]public) // by name and folder
	for _, dir := range c.tree.packages() {
		files := c.tree.sources(dir)
		if internal(dir) || path.Dir(dir) == "contrib" || len(files) == 0 || files[0].ast.Name.Name == "main" {
			continue
		}
		for _, f := range files {
			for _, d := range declarations(f.ast) {
				if s, ok := d.node.(*ast.TypeSpec); !ok || s.Assign.IsValid() || d.name == "Options" {
					continue
				}
				if all[d.name] == nil {
					all[d.name] = make(map[string]public)
				}
				all[d.name][dir] = public{f.ast.Name.Name, f.path, all[d.name][dir].doc + d.doc} // several builds may declare the same type
			}
		}
	}
	for _, name := range sortedKeys(all) {
		for _, dir := range sortedKeys(all[name]) {
			one, other, told := all[name][dir], "", len(all[name]) == 1
			for _, elsewhere := range sortedKeys(all[name]) {
				if elsewhere != dir {
					other = all[name][elsewhere].pkg + "." + name
					told = told || mentions(one.doc, other)
				}
			}
			if !told {
				c.report(one.path, "same name", "%s does not say how it differs from %s", name, other)
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// A product is a program as it was when it had been built.
type product struct {
	Name     string
	Size     int64
	Modified int64 // in ns
}

// productOf describes the only file in the plan's folder for the program.
func (p *Plan) productOf() (x product, ok bool) {
	all, err := os.ReadDir(p.Folder())
	if err != nil || len(all) != 1 {
		return x, false
	}
	info, err := all[0].Info()
	if err != nil || !info.Mode().IsRegular() {
		return x, false
	}
	return product{info.Name(), info.Size(), info.ModTime().UnixNano()}, true
}

func (p *Plan) productFile() string { return filepath.Join(p.dir, "product.json") }

// Built notes that the go command has built the program in the plan's folder.
func (p *Plan) Built() {
	if x, ok := p.productOf(); ok && p.Fixed {
		if text, err := json.Marshal(x); err == nil {
			replaceFile(p.productFile(), text) // otherwise the program is built again
		}
	}
}

// IsBuilt reports whether the program is in the plan's folder, as the go command would build it.
func (p *Plan) IsBuilt() bool {
	var then product
	text, err := os.ReadFile(p.productFile())
	if err != nil || !p.Fixed || json.Unmarshal(text, &then) != nil {
		return false
	}
	now, ok := p.productOf()
	return ok && now == then
}

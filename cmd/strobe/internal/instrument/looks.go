// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"os"
	"runtime"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// look finds out which of the functions are units, and where they wait.
func look(set *token.FileSet, r Request, packages []*listed, sources [][]*source, exports map[string]string) {
	program := shape.NewProgram(set, runtime.GOARCH, func(path string) (io.ReadCloser, error) {
		for _, known := range []string{path, "vendor/" + path} { // the standard library has a vendor folder
			if file := exports[known]; file != "" {
				return os.Open(file)
			}
		}
		return nil, fmt.Errorf("no types of package %s", path)
	})
	var main *function
	for i, l := range packages {
		var files []*ast.File
		for _, s := range sources[i] {
			files = append(files, s.file)
		}
		version := ""
		if l.Module != nil && l.Module.GoVersion != "" {
			version = "go" + l.Module.GoVersion
		}
		pkg := program.Add(l.path(), version, files)
		for _, s := range sources[i] {
			for j := range s.functions {
				f := &s.functions[j]
				if !f.closure && !l.Standard && (f.reason == "" || f.small()) {
					f.waits = pkg.Waits(f.decl.Body)
				}
				if l.Name == "main" && f.name == "main" && !l.DepOnly {
					main = f
				}
			}
		}
	}
	units, found := program.Units(), false
	for _, all := range sources {
		for _, s := range all {
			for j := range s.functions {
				f := &s.functions[j]
				if why := units[f.decl.Name.Pos()]; why != "" && f.unit == "" && (f.reason == "" || f.small()) {
					f.reason, f.unit = "", why
				}
				found = found || f.unit != ""
			}
		}
	}
	if !found && main != nil && (main.reason == "" || main.reason == isSmall) {
		main.reason, main.unit = "", "the whole program, since nothing else looks like a unit"
	}
}

// waiting returns the name of the zone of a wait in a function.
func waiting(w shape.Blocking, function string) string { return w.Name + " in " + function }

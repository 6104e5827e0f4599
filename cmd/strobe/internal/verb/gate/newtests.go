// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/goroot"
)

// A benchmark that was changed, or is new, says nothing about the code unless the same benchmark runs on both sides. Where the
// tests of a package differ, those of the working tree are therefore built with the code of the base. Benchmarks that do not run
// there are compared with those of the base's own tests.

// withNewTests builds the tests of the working tree with the code of the base into a file, if they differ and that can be built. It
// reports whether it has.
func (m *measurement) withNewTests(ctx context.Context, pk *pkg, base, binary string) bool {
	if m.flags.OwnTests || m.flags.Self || m.emulator != nil || !pk.on(newSide) || slices.ContainsFunc(m.build, isOverlay) {
		return false
	}
	dir := pk.dirs[oldSide]
	if !pk.on(oldSide) { // perhaps it has no benchmarks
		dir = filepath.Join(base, filepath.FromSlash(pk.target))
	}
	replace, code := replaceTests(dir, pk.dirs[newSide])
	if replace == nil {
		return false
	}
	overlay := binary + ".json"
	if goroot.Write(overlay, m.overlay, replace) != nil {
		return false
	}
	flags := append(slices.Clone(m.build), "-overlay="+overlay)
	if build(ctx, base, pk.target, binary, flags, 0) != nil {
		return false
	}
	if !code && sameText(binary, pk.binaries[newSide][0]) { // its tests are all that it has
		return false
	}
	pk.dirs[oldSide], pk.flags = dir, flags
	pk.binaries[ownSide], pk.binaries[oldSide] = pk.binaries[oldSide], []string{binary}
	return true
}

// withOwnTests takes back what withNewTests did.
func (p *pkg) withOwnTests() {
	p.binaries[oldSide], p.binaries[ownSide], p.flags = p.binaries[ownSide], nil, nil
	if len(p.binaries[oldSide]) == 0 {
		p.dirs[oldSide] = ""
	}
}

// replaceTests returns an overlay in which a folder has the tests of another one, nil if it has them already, or no Go files. code
// reports whether it has more than tests.
func replaceTests(dir, latest string) (replace map[string]string, code bool) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, false
	}
	replace = map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			replace[file] = "" // is not there
		} else {
			code = true
		}
	}
	tests, err := filepath.Glob(filepath.Join(latest, "*_test.go"))
	if err != nil {
		return nil, false
	}
	differ := len(tests) != len(replace)
	for _, file := range tests {
		here := filepath.Join(dir, filepath.Base(file))
		replace[here] = file
		differ = differ || !sameText(here, file)
	}
	if !differ {
		return nil, code
	}
	return replace, code
}

// sameText reports whether two files have the same bytes.
func sameText(a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := os.ReadFile(b)
	return err == nil && bytes.Equal(x, y)
}

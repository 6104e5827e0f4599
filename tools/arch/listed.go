// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A listed package is the output of `go list` about a package on one platform.
type listed struct {
	ImportPath, Dir                    string
	DepOnly, Standard                  bool
	GoFiles, TestGoFiles, XTestGoFiles []string
	SFiles                             []string
	Imports, TestImports, XTestImports []string
	ImportMap                          map[string]string // of vendored packages: as written, as listed
	Module                             struct{ GoVersion string }
	Error                              *struct{ Err string }
}

// mapped returns the path under which a package that p imports is listed.
func (p *listed) mapped(imp string) string {
	if vendored := p.ImportMap[imp]; vendored != "" {
		return vendored
	}
	return imp
}

// list runs go list on packages of the tree and all their dependencies.
func (t *tree) list(platform string, patterns ...string) (map[string]*listed, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps",
		"-json=ImportPath,Dir,DepOnly,Standard,GoFiles,TestGoFiles,XTestGoFiles,SFiles,Imports,TestImports,XTestImports,ImportMap,Module,Error"}, patterns...)...)
	cmd.Dir = t.root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", t.workspace.env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w: %s", platform, err, &stderr)
	}
	packages := map[string]*listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		packages[p.ImportPath] = &p
	}
}

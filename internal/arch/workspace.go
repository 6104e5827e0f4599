// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A workspace is the modules of a tree that are checked together: those that its go.work uses, or the one at its root.
type workspace struct {
	folders []string // of the modules, relative to the root
	env     string   // makes the go command see the same modules
}

func readWorkspace(root string) (workspace, error) {
	file := filepath.Join(root, "go.work")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return workspace{[]string{"."}, "GOWORK=off"}, nil
	}
	w := workspace{env: "GOWORK=" + file}
	for _, use := range regexp.MustCompile(`(?m)^use\s+(\([^)]*\)|\S+)`).FindAllStringSubmatch(string(text), -1) {
		for _, folder := range strings.Fields(strings.Trim(use[1], "()")) {
			w.folders = append(w.folders, path.Clean(folder))
		}
	}
	return w, err
}

// patterns match all packages of the modules.
func (w workspace) patterns() []string {
	var patterns []string
	for _, folder := range w.folders {
		patterns = append(patterns, "./"+path.Join(folder, "..."))
	}
	return patterns
}

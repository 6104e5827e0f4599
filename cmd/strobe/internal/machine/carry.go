// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// mostCarried is the largest size of a module that is copied completely. The machine unpacks it at its start, slowly.
const mostCarried = 32 << 20

// carry copies what the tests of the package in dir may read, and returns where the package is in the machine: its files, and
// those of its module, such as ../testdata. If the module is too large, it copies only the folders named testdata.
func carry(a *archive, dir string) (at string, err error) {
	root, whole := moduleOf(dir)
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "", err
	}
	top := "/dir/" + filepath.Base(root)
	at = path.Join(top, filepath.ToSlash(rel))
	whole = whole && sizeOf(root) <= mostCarried
	return at, walk(root, func(file, rel string, d fs.DirEntry) error {
		to := path.Join(top, filepath.ToSlash(rel))
		switch {
		case d.IsDir():
			a.dir(to)
			return nil
		case !whole && filepath.Dir(file) != dir && !strings.Contains("/"+filepath.ToSlash(rel), "/testdata/"):
			return nil
		}
		return a.plain(to, file)
	})
}

// moduleOf returns the folder of the module that contains dir, or dir itself if there is none.
func moduleOf(dir string) (root string, ok bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, true
		}
		if at == filepath.Dir(at) {
			return dir, false
		}
	}
}

func sizeOf(root string) (sum int64) {
	walk(root, func(_, _ string, d fs.DirEntry) error { // what cannot be read counts when it is copied
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// walk visits the files of a module, except in node_modules and folders whose names begin with a dot.
func walk(root string, visit func(file, rel string, d fs.DirEntry) error) error {
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return visit(file, rel, d)
	})
}

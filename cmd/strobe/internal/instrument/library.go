// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	modname "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const (
	libraryPath = "github.com/strobe-go/strobe"
	libraryGo   = "1.24"             // the version of Go that the library needs
	systemPath  = "golang.org/x/sys" // the module that the library needs
)

// A library is the version of the library that this command was built with, and the module that it needs.
type library struct {
	root       string // its folder
	system     string // the folder of golang.org/x/sys
	needs      string // the version of golang.org/x/sys
	requires   string // the version that the build requires
	language   string // the version of Go that go.mod states for both in the build
	at, sysAt  string // their folders in the build
	compatible bool   // language is the version that they need
}

// libraryOf finds the library for a program whose module states a version of Go. The go command refuses modules that state a later
// one than the main module, so the library states the same; flags for the compiler say which it is written in.
func libraryOf(s settings, language, base string) (*library, error) {
	l := &library{language: language}
	var err error
	if l.root, err = libraryRoot(s.ModCache); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(l.root, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("the library that this command was built with: %w", err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, q := range mod.Require {
		if q.Mod.Path == systemPath {
			l.needs = q.Mod.Version
		}
	}
	l.system = cached(s.ModCache, systemPath, l.needs)
	l.requires = l.needs
	if semver.Compare(s.system, l.needs) < 0 {
		// Modules of which the program uses no package may require any version. Only the largest one can be selected without looking at them.
		l.requires = "v0.999999.0"
	}
	if !before(language, libraryGo) {
		l.language, l.compatible = libraryGo, true
	}
	dir := filepath.Join(base, "lib", digest(l.root, l.needs, l.requires, l.language))
	l.at, l.sysAt = filepath.Join(dir, "strobe"), filepath.Join(dir, "sys")
	return l, nil
}

// libraryRoot returns the folder of the library that this command was built with: the clone, or the module cache.
func libraryRoot(modCache string) (string, error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "live", "attach")); err == nil {
		return root, nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == libraryPath {
				return cachedLibrary(modCache, d.Version)
			}
		}
	}
	return "", gone(root)
}

// cachedLibrary returns the folder of a version of the library in the module cache.
func cachedLibrary(modCache, version string) (string, error) {
	if version == "(devel)" {
		return "", errors.New("this command was built with -trimpath in a clone, and does not know where the clone is: build it there without -trimpath")
	}
	root := cached(modCache, libraryPath, version)
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return "", gone(root)
	}
	return root, nil
}

func gone(root string) error {
	return fmt.Errorf("the library that this command was built with is gone from %s: install the command again", root)
}

// cached returns the folder of a module in the module cache.
func cached(modCache, path, version string) string {
	escaped, err := modname.EscapePath(path)
	if err != nil {
		escaped = path
	}
	return filepath.Join(modCache, filepath.FromSlash(escaped)+"@"+version)
}

// write adds the library to an overlay.
func (l *library) write(overlay map[string]string) error {
	if err := mirror(overlay, l.root, l.at); err != nil {
		return err
	}
	if err := mirror(overlay, l.system, l.sysAt); err != nil {
		return fmt.Errorf("%w: go mod download %s@%s brings it back", err, systemPath, l.needs)
	}
	return errors.Join(
		write(filepath.Join(l.at, "go.mod"), []byte(fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", libraryPath, l.language, systemPath, l.requires))),
		write(filepath.Join(l.sysAt, "go.mod"), []byte(fmt.Sprintf("module %s\n\ngo %s\n", systemPath, l.language))))
}

// args returns the flags for a program of an older Go.
func (l *library) args() []string {
	if l.compatible {
		return nil
	}
	return []string{"-gcflags=" + libraryPath + "/...=-lang=go" + libraryGo, "-gcflags=" + systemPath + "/...=-lang=go" + libraryGo}
}

// mirror adds the files of a module to an overlay, as if they were in another folder. It makes that folder and those in it, because
// the assembler runs there.
func mirror(overlay map[string]string, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != from && !ofModule(path, d.Name()) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, relative), 0o777)
		}
		if d.Name() != "go.mod" && !strings.HasSuffix(d.Name(), "_test.go") {
			overlay[filepath.Join(to, relative)] = path
		}
		return nil
	})
}

// ofModule reports whether a folder in a module has packages that a program may import.
func ofModule(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" {
		return false
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err != nil
}

// cloned returns the source files of a library that is a clone, and no module in the cache, as inputs.
func cloned(s settings) (all []input) {
	root, err := libraryRoot(s.ModCache)
	if err != nil {
		return nil
	}
	if inside, err := filepath.Rel(s.ModCache, root); err == nil && filepath.IsLocal(inside) {
		return nil
	}
	others := []string{"cmd", "contrib", "docs", "examples", "skills", "tools", "testdata"}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && path != root && (slices.Contains(others, d.Name()) || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir():
			all = append(all, input{Path: path, Folder: true})
		case !strings.HasSuffix(path, "_test.go"):
			all = append(all, input{Path: path})
		}
		return nil
	})
	return all
}

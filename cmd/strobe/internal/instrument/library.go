// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// What the library requires: the version of Go, and its modules that programs link.
const (
	libraryGo  = "1.24"
	systemPath = "golang.org/x/sys"
)

// provide makes the library part of the program.
func (p *Plan) provide(ctx context.Context, r Request, replace map[string]string) error {
	text, err := r.run(ctx, "env", "-json", "GOMOD", "GOWORK", "GOMODCACHE")
	if err != nil {
		return err
	}
	var env struct{ GOMOD, GOWORK, GOMODCACHE string }
	if err := json.Unmarshal(text, &env); err != nil {
		return err
	}
	if env.GOMOD == os.DevNull || env.GOMOD == "" {
		return errors.New("strobe run works in a module: no go.mod was found; go mod init makes one")
	}
	text, err = os.ReadFile(env.GOMOD)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(env.GOMOD, text, nil)
	if err != nil {
		return err
	}
	if mod.Module.Mod.Path == libraryPath {
		return nil
	}
	root, err := libraryRoot()
	if err != nil {
		return err
	}
	wants, err := libraryRequires(root)
	if err != nil {
		return err
	}
	language := "1.16"
	if mod.Go != nil {
		language = mod.Go.Version
	}
	if version.Compare("go"+language, "go"+libraryGo) >= 0 {
		language = libraryGo
	} else {
		p.Args = append(p.Args, "-gcflags="+libraryPath+"/...=-lang=go"+libraryGo, "-gcflags="+systemPath+"/...=-lang=go"+libraryGo)
	}
	lib, system := filepath.Join(p.dir, "lib", "strobe"), filepath.Join(p.dir, "lib", "sys")
	if err := mod.AddRequire(libraryPath, "v0.0.0"); err != nil {
		return err
	}
	if err := mod.AddReplace(libraryPath, "v0.0.0", lib, ""); err != nil {
		return err
	}
	have := ""
	for _, q := range mod.Require {
		if q.Mod.Path == systemPath {
			have = q.Mod.Version
		}
	}
	if semver.Compare(have, wants) < 0 {
		if err := mod.AddRequire(systemPath, wants); err != nil {
			return err
		}
	}
	if err := mod.AddReplace(systemPath, wants, system, ""); err != nil {
		return err
	}
	if err := mirror(replace, root, lib); err != nil {
		return err
	}
	if err := mirror(replace, filepath.Join(env.GOMODCACHE, "golang.org", "x", "sys@"+wants), system); err != nil {
		return err
	}
	files := map[string]string{
		filepath.Join(lib, "go.mod"):    fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", libraryPath, language, systemPath, wants),
		filepath.Join(system, "go.mod"): fmt.Sprintf("module %s\n\ngo %s\n", systemPath, language),
	}
	for path, text := range files {
		if err := write(path, []byte(text)); err != nil {
			return err
		}
	}
	text, err = mod.Format()
	if err != nil {
		return err
	}
	to := filepath.Join(p.dir, "go.mod")
	if err := write(to, text); err != nil {
		return err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(env.GOMOD, ".mod") + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.Args = append(p.Args, "-modfile="+to)
	return write(filepath.Join(p.dir, "go.sum"), sums)
}

// libraryRoot returns the folder of the library that this command was built with.
func libraryRoot() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "zone.go")); err != nil {
		return "", err
	}
	return root, nil
}

// libraryRequires returns the version of golang.org/x/sys that the library requires.
func libraryRequires(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return "", err
	}
	for _, q := range mod.Require {
		if q.Mod.Path == systemPath {
			return q.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", root, systemPath)
}

// mirror adds the files of a module to an overlay, as if they were in another folder. It makes that folder and those in it, because
// the assembler runs there.
func mirror(replace map[string]string, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == from {
				return os.MkdirAll(to, 0o777)
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, strings.TrimPrefix(path, from)), 0o777)
		}
		if d.Name() == "go.mod" || strings.HasSuffix(d.Name(), "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(from, path)
		replace[filepath.Join(to, relative)] = path
		return err
	})
}

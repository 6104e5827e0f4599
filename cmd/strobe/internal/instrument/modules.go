// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// A modules holds how the modules of a build differ from those of the program.
type modules struct {
	args, env []string
	overlay   map[string]string // which file is read in place of another
	files     map[string][]byte // in the folder of the plan
}

// A moved is a module of which some files change, and which is elsewhere in the build since the go command refuses to replace files in
// the module cache.
type moved struct {
	module
	to string // its folder in the build
}

// arrange makes the library, and the modules that are elsewhere, part of the build. dir is the folder of the plan.
func (r Request) arrange(ctx context.Context, s settings, base, dir string, elsewhere []moved) (*modules, error) {
	m := &modules{overlay: map[string]string{}, files: map[string][]byte{}}
	for _, e := range elsewhere {
		if err := m.move(e); err != nil {
			return nil, err
		}
	}
	var err error
	if s.Work != "" || s.Mod == "" {
		err = m.workspace(ctx, r, s, base, dir, elsewhere)
	} else {
		err = m.single(ctx, r, s, base, dir, elsewhere)
	}
	return m, err
}

// move adds the files of a module to the overlay, in its folder in the build.
func (m *modules) move(e moved) error {
	if err := mirror(m.overlay, e.Dir, e.to); err != nil {
		return err
	}
	text, err := os.ReadFile(e.GoMod)
	if err != nil {
		return err
	}
	return write(filepath.Join(e.to, "go.mod"), text)
}

// single arranges the modules of a program that is built outside a workspace: by another go.mod.
func (m *modules) single(ctx context.Context, r Request, s settings, base, dir string, elsewhere []moved) error {
	text, err := os.ReadFile(s.Mod)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(s.Mod, text, nil)
	if err != nil {
		return err
	}
	language := "1.16" // as the go command takes it
	if mod.Go != nil {
		language = mod.Go.Version
	}
	vendor := r.vendored(s, language)
	has := mod.Module.Mod.Path == libraryPath
	if vendor != "" {
		_, err := os.Stat(filepath.Join(filepath.Dir(vendor), filepath.FromSlash(libraryPath), "live", "attach"))
		has = has || err == nil
	} else if !has {
		has = r.hasLibrary(ctx)
	}
	if has && len(elsewhere) == 0 {
		return nil
	}
	if vendor != "" {
		if err := m.unvendor(mod, vendor, dir); err != nil {
			return err
		}
	}
	if vendor != "" || r.flag(s, "mod") == "vendor" { // without a vendor folder that is allowed if nothing is required, as the library now is
		m.args = append(m.args, "-mod=readonly")
	}
	for _, e := range elsewhere {
		if err := replaceModule(mod, e.Path, e.to); err != nil {
			return err
		}
	}
	if !has {
		l, err := libraryOf(s, language, base)
		if err != nil {
			return err
		}
		if err := m.require(mod, l); err != nil {
			return err
		}
	}
	mod.Cleanup()
	if text, err = mod.Format(); err != nil {
		return err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(s.Mod, ".mod") + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	m.files["go.mod"], m.files["go.sum"] = text, sums
	m.args = append(m.args, "-modfile="+filepath.Join(dir, "go.mod"))
	return nil
}

// require makes a go.mod require the library.
func (m *modules) require(mod *modfile.File, l *library) error {
	if err := l.write(m.overlay); err != nil {
		return err
	}
	m.args = append(m.args, l.args()...)
	has := map[string]string{}
	for _, q := range mod.Require {
		has[q.Mod.Path] = q.Mod.Version
	}
	var errs []error
	if has[libraryPath] == "" {
		errs = append(errs, mod.AddRequire(libraryPath, "v0.0.0"))
	}
	errs = append(errs, replaceModule(mod, libraryPath, l.at))
	if l.requires == l.needs { // the program has a later one
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, mod.AddRequire(systemPath, l.requires), replaceModule(mod, systemPath, l.sysAt))...)
}

// replaceModule replaces all versions of a module by a folder.
func replaceModule(mod *modfile.File, path, to string) error {
	for _, old := range mod.Replace {
		if old := old.Old; old.Path == path {
			if err := mod.DropReplace(path, old.Version); err != nil {
				return err
			}
		}
	}
	return mod.AddReplace(path, "", to, "")
}

// unvendor makes each vendored module a replacement by its folder, so that no module cache is needed.
func (m *modules) unvendor(mod *modfile.File, file, dir string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for i, v := range parseVendored(string(text)) {
		at := filepath.Join(filepath.Dir(file), filepath.FromSlash(v.path))
		name := filepath.Join("vendored", fmt.Sprint(i), "go.mod")
		m.files[name] = []byte(fmt.Sprintf("module %s\n\ngo %s\n", v.path, v.language))
		m.overlay[filepath.Join(at, "go.mod")] = filepath.Join(dir, name)
		found[v.path] = true
		if err := errors.Join(mod.AddRequire(v.path, v.version), replaceModule(mod, v.path, at)); err != nil {
			return err
		}
	}
	for _, q := range mod.Require { // of which no package is needed
		if !found[q.Mod.Path] {
			if err := mod.DropRequire(q.Mod.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// A vendored is a module in vendor/modules.txt that has packages.
type vendored struct{ path, version, language string }

func parseVendored(text string) (all []vendored) {
	v := vendored{}
	packages := 0
	add := func() {
		if packages > 0 {
			all = append(all, v)
		}
		packages = 0
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			for item := range strings.SplitSeq(rest, ";") {
				if l, ok := strings.CutPrefix(strings.TrimSpace(item), "go "); ok {
					v.language = l
				}
			}
		} else if rest, ok := strings.CutPrefix(line, "# "); ok {
			add()
			words := append(strings.Fields(rest), "", "")
			v = vendored{words[0], words[1], "1.16"}
			if !semver.IsValid(v.version) {
				v.version = "v0.0.0" // replaced by a folder
			}
		} else if line != "" {
			packages++
		}
	}
	add()
	return all
}

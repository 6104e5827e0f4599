// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// unusedFor is how long a plan is kept that nobody uses.
const unusedFor = 24 * time.Hour

// A store keeps plans in a folder, by what they were made from.
type store struct {
	base   string
	unkept string // why it is a temporary one, as a sentence; empty if it is in the user's cache folder
}

func openStore() (*store, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return temporaryStore("there is no cache folder: " + err.Error())
	}
	s := &store{base: filepath.Join(dir, "strobe", "run")}
	if err := os.MkdirAll(s.base, 0o777); err != nil {
		return temporaryStore(s.cannot(err))
	}
	if err := takesFiles(s.base); err != nil {
		return temporaryStore(s.cannot(err))
	}
	return s, nil
}

func temporaryStore(unkept string) (*store, error) {
	dir, err := os.MkdirTemp("", "strobe-run-")
	if err == nil {
		if err = takesFiles(dir); err != nil {
			os.RemoveAll(dir)
		}
	}
	if err != nil {
		return nil, nowhere(unkept, err)
	}
	return &store{dir, unkept}, nil
}

// nowhere is the error if the temporary folder cannot be written either.
func nowhere(unkept string, err error) error {
	return fmt.Errorf("%s; nor is there room in the temporary folder: %w; TMPDIR names another one", unkept, plainly(err))
}

// takesFiles returns an error if a folder has no room, or takes no files.
func takesFiles(dir string) error {
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 1<<16))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// refused says why the store cannot be written, if that is what an error is about.
func (s *store) refused(err error) string {
	var file *fs.PathError
	var link *os.LinkError
	path := ""
	switch {
	case errors.As(err, &file):
		path = file.Path
	case errors.As(err, &link):
		path = link.New
	default:
		return ""
	}
	if inside, failed := filepath.Rel(s.base, path); failed != nil || !filepath.IsLocal(inside) {
		return ""
	}
	return s.cannot(err)
}

// cannot says in a sentence that the store cannot be written.
func (s *store) cannot(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) {
		err = file.Err
	}
	return fmt.Sprintf("%s cannot be written: %v", s.base, err)
}

// plainly returns the first of joined errors about files.
func plainly(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file
	}
	return err
}

// A head says which plan a request has, as long as the inputs are the same.
type head struct {
	Plan   string // its folder
	Inputs []input
}

// An input is a file, or the names in a folder, with a digest of it.
type input struct {
	Path   string
	Folder bool
	Digest string
}

func (in input) read() string {
	if !in.Folder {
		text, err := os.ReadFile(in.Path)
		if err != nil {
			return "none"
		}
		return digest(string(text))
	}
	entries, err := os.ReadDir(in.Path)
	if err != nil {
		return "none"
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return digest(names...)
}

// find returns the plan of a request, nil if there is none or it is out of date.
func (s *store) find(key string) *Plan {
	var h head
	text, err := os.ReadFile(s.headFile(key))
	if err != nil || json.Unmarshal(text, &h) != nil || h.Plan == "" {
		return nil
	}
	for _, in := range h.Inputs {
		if in.read() != in.Digest {
			return nil
		}
	}
	return s.load(h.Plan)
}

func (s *store) headFile(key string) string { return filepath.Join(s.base, "heads", key+".json") }

// folder returns the folder of the plan for a request and what it is made from.
func (s *store) folder(key string, inputs []input) string {
	texts := []string{key}
	for _, in := range inputs {
		texts = append(texts, in.Path, in.Digest)
	}
	return filepath.Join(s.base, "plans", digest(texts...))
}

// load reads a plan, nil if it is not there.
func (s *store) load(dir string) *Plan {
	p := &Plan{}
	text, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil || json.Unmarshal(text, p) != nil {
		return nil
	}
	p.dir = dir
	now := time.Now()
	os.Chtimes(dir, now, now) // it is in use
	return p
}

// keep writes which plan a request has, and removes plans that nobody uses.
func (s *store) keep(key string, h head) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	s.prune()
	var before head
	if old, err := os.ReadFile(s.headFile(key)); err == nil && json.Unmarshal(old, &before) == nil && before.Plan != "" && before.Plan != h.Plan {
		os.RemoveAll(folderIn(before.Plan)) // programs are large
	}
	return replaceFile(s.headFile(key), text)
}

func (s *store) prune() {
	for _, kind := range []string{"plans", "heads", "costly"} {
		entries, _ := os.ReadDir(filepath.Join(s.base, kind))
		for _, e := range entries {
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unusedFor {
				os.RemoveAll(filepath.Join(s.base, kind, e.Name()))
			}
		}
	}
}

// replaceFile writes a file that others may read meanwhile.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // unless it was renamed
	_, err = f.Write(text)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// key returns a name for a request: the same for requests that have the same plan as long as the inputs are the same.
func (r Request) key() string {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return ""
	}
	texts := []string{fmt.Sprintf("%#v", r), dir}
	tool, _ := exec.LookPath("go")
	self, _ := os.Executable()
	config := os.Getenv("GOENV")
	if user, err := os.UserConfigDir(); config == "" && err == nil {
		config = filepath.Join(user, "go", "env")
	}
	for _, file := range []string{tool, self} {
		if info, err := os.Stat(file); err == nil {
			texts = append(texts, file, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
		}
	}
	texts = append(texts, input{Path: config}.read())
	env := os.Environ()
	slices.Sort(env)
	for _, v := range env {
		for _, prefix := range []string{"GO", "CGO_", "CC=", "CXX=", "FC=", "AR=", "PKG_CONFIG"} {
			if strings.HasPrefix(v, prefix) {
				texts = append(texts, v)
			}
		}
	}
	return digest(texts...)
}

// inputs returns what a plan is made from, apart from the request and the modules in the cache, which never change.
func (b *building) inputs() []input {
	var all []input
	add := func(in input) {
		in.Digest = in.read()
		all = append(all, in)
	}
	for _, file := range []string{b.settings.Mod, b.settings.Work} {
		if file != "" {
			add(input{Path: file})
			add(input{Path: strings.TrimSuffix(file, ".mod") + ".sum"})
			add(input{Path: filepath.Join(filepath.Dir(file), "vendor", "modules.txt")})
		}
	}
	for _, in := range cloned(b.settings) {
		add(in)
	}
	seen := map[string]bool{}
	for _, l := range append(slices.Clone(b.packages), b.chosen...) {
		if seen[l.Dir] || !l.local() && !slices.Contains(b.chosen, l) {
			continue
		}
		seen[l.Dir] = true
		add(input{Path: l.Dir, Folder: true})
		entries, _ := os.ReadDir(l.Dir)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") {
				add(input{Path: filepath.Join(l.Dir, e.Name())})
			}
		}
		embedded, _ := l.embedded()
		for _, in := range embedded {
			add(in)
		}
	}
	return all
}

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// What is embedded is read each time the program is run. Of more than that, the go command keeps track.
const (
	mostEmbedded      = 10000
	mostEmbeddedBytes = 64 << 20
)

var errTooMuch = errors.New("too much is embedded")

// embedded returns the files that a package may embed, and the folders in which others would be embedded if they were there, as inputs.
// ok is false if they are too many, or too large.
func (l *listed) embedded() (all []input, ok bool) {
	e := embeds{dir: l.Dir, tree: os.DirFS(l.Dir)}
	for _, pattern := range l.EmbedPatterns {
		pattern, hidden := strings.CutPrefix(pattern, "all:")
		if e.add(path.Clean(pattern), hidden) != nil {
			return nil, false
		}
	}
	return e.all, true
}

// embeds are the inputs that patterns match in the folder of a package.
type embeds struct {
	dir  string
	tree fs.FS
	all  []input
	size int64
}

// add adds what a pattern matches. hidden files in folders that match count if the pattern says so.
func (e *embeds) add(pattern string, hidden bool) error {
	for i, c := range pattern {
		if c != '/' {
			continue
		}
		folders, err := fs.Glob(e.tree, pattern[:i])
		if err != nil {
			return err
		}
		for _, name := range folders {
			e.input(name, true)
		}
	}
	matches, err := fs.Glob(e.tree, pattern)
	if err != nil {
		return err
	}
	for _, match := range matches {
		err := fs.WalkDir(e.tree, match, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case name != match && !hidden && (d.Name()[0] == '.' || d.Name()[0] == '_'):
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if info, err := d.Info(); err == nil && !d.IsDir() {
				e.size += info.Size()
			}
			if len(e.all) >= mostEmbedded || e.size > mostEmbeddedBytes {
				return errTooMuch
			}
			e.input(name, d.IsDir())
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *embeds) input(name string, folder bool) {
	e.all = append(e.all, input{Path: filepath.Join(e.dir, filepath.FromSlash(name)), Folder: folder})
}

// isEmbedded is the reason for functions whose files are not changed, since the program would read the changes.
const isEmbedded = "its file is embedded in the program"

// embeddedGo returns the paths of the Go files that packages embed.
func embeddedGo(packages []*listed) map[string]bool {
	all := map[string]bool{}
	for _, l := range packages {
		for _, name := range l.EmbedFiles {
			if strings.HasSuffix(name, ".go") {
				all[filepath.Join(l.Dir, filepath.FromSlash(name))] = true
			}
		}
	}
	return all
}

// added returns a file of a package that is not there, and has no declarations.
func added(set *token.FileSet, p *listed) (*source, error) {
	path := filepath.Join(p.Dir, "strobe_zones.go")
	for {
		if _, err := os.Stat(path); err != nil {
			break
		}
		path = strings.TrimSuffix(path, ".go") + "_.go"
	}
	text := []byte("package " + p.Name + "\n")
	file, err := parser.ParseFile(set, path, text, 0)
	return &source{path: path, text: text, set: set, file: file}, err
}

// beside returns the path of a file in the folder of another one, written as that of the other one is: the go command takes files of one
// folder only.
func beside(other, path string) string {
	folder, _ := filepath.Split(other)
	return folder + filepath.Base(path)
}

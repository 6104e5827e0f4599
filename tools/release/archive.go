// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// serve writes a module into a folder that the go command can use as a proxy; see https://go.dev/ref/mod#goproxy-protocol.
func (m module) serve(root, proxy string) error {
	folder := filepath.Join(proxy, filepath.FromSlash(m.path()), "@v")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list":              m.version + "\n",
		m.version + ".info": fmt.Sprintf(`{"Version":%q,"Time":%q}`, m.version, time.Now().UTC().Format(time.RFC3339)),
		m.version + ".mod":  string(m.text),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(folder, m.version+".zip"))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := m.archive(file, root); err != nil {
		return err
	}
	return file.Close()
}

// archive writes the files of a module that the go command would take from the repository: without nested modules, and with the
// licence of the root. The go command checks the rest when it unpacks the archive.
func (m module) archive(w io.Writer, root string) error {
	z := zip.NewWriter(w)
	add := func(file, name string) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		entry, err := z.Create(m.path() + "@" + m.version + "/" + name)
		if err == nil {
			_, err = entry.Write(text)
		}
		return err
	}
	top := filepath.Join(root, filepath.FromSlash(m.folder))
	licensed := false
	if err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if file != top && (err == nil || d.Name() == ".git" || d.Name() == "vendor") {
				return filepath.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(top, file)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		licensed = licensed || name == "LICENSE"
		return add(file, filepath.ToSlash(name))
	}); err != nil {
		return err
	}
	if !licensed {
		if err := add(filepath.Join(root, "LICENSE"), "LICENSE"); err != nil {
			return err
		}
	}
	return z.Close()
}

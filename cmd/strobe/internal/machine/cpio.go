// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// An archive is the initial file system of a kernel: a cpio archive in the format "newc", compressed for speed. It contains no
// times, so that the same files give the same archive.
type archive struct {
	w    *gzip.Writer
	ino  int
	dirs map[string]bool
	err  error
}

func newArchive(w io.Writer) *archive {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	return &archive{w: z, dirs: map[string]bool{"": true}}
}

const (
	modeDir  = 0o040755
	modeFile = 0o100644
	modeProg = 0o100755
	modeChar = 0o020600
)

// entry writes the header of one entry: "070701" and thirteen numbers.
func (a *archive) entry(name string, mode int, size int64, major, minor int) {
	name = strings.TrimPrefix(name, "/")
	a.ino++
	a.write(fmt.Appendf(nil, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00",
		a.ino, mode, 0, 0, 1, 0, size, 0, 0, major, minor, len(name)+1, 0, name))
	a.pad(110 + len(name) + 1)
}

func (a *archive) write(b []byte) {
	if a.err == nil {
		_, a.err = a.w.Write(b)
	}
}

func (a *archive) pad(n int) { a.write(make([]byte, -n&3)) }

// dir makes a folder and those above it.
func (a *archive) dir(name string) {
	if name = strings.Trim(name, "/"); name == "." || a.dirs[name] {
		return
	}
	a.dir(strings.TrimSuffix(path.Dir(name), "."))
	a.dirs[name] = true
	a.entry(name, modeDir, 0, 0, 0)
}

func (a *archive) device(name string, major, minor int) {
	a.dir(path.Dir(name))
	a.entry(name, modeChar, 0, major, minor)
}

func (a *archive) bytes(name string, mode int, content []byte) {
	a.dir(path.Dir(name))
	a.entry(name, mode, int64(len(content)), 0, 0)
	a.write(content)
	a.pad(len(content))
}

// file copies a file of the host.
func (a *archive) file(name string, mode int, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() >= 1<<32 {
		return fmt.Errorf("%s: too large for the emulated machine", from)
	}
	a.dir(path.Dir(name))
	a.entry(name, mode, info.Size(), 0, 0)
	if a.err == nil {
		_, a.err = io.CopyN(a.w, f, info.Size())
	}
	a.pad(int(info.Size() & 3))
	return a.err
}

// plain copies a regular file and skips anything else.
func (a *archive) plain(name, file string) error {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil // a broken link, a socket
	}
	mode := modeFile
	if info.Mode()&0o111 != 0 {
		mode = modeProg
	}
	return a.file(name, mode, file)
}

// close ends the archive.
func (a *archive) close() error {
	a.entry("TRAILER!!!", 0, 0, 0, 0)
	if a.err == nil {
		a.err = a.w.Close()
	}
	return a.err
}

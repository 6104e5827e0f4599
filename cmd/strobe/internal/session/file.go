// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Open opens the input with a name: a file, or standard input for "-". size is 0 if unknown, and shown is the name for messages.
func (s *Session) Open(name string) (in io.ReadCloser, shown string, size int64, err error) {
	if name == "-" {
		return io.NopCloser(s.In), "standard input", 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, name, 0, fmt.Errorf("cannot read %s: %w", name, reasonOf(err, "it does not exist"))
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory; give a file", name)
	}
	if err != nil {
		f.Close()
		return nil, name, 0, err
	}
	return f, name, info.Size(), nil
}

// reasonOf returns the reason of an error without the operation and the name that it begins with. If a file or folder does not
// exist, the reason is missing.
func reasonOf(err error, missing string) error {
	var where *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New(missing)
	case errors.As(err, &where):
		return where.Err
	}
	return err
}

// WriteFile writes a file completely or not at all: it writes a new file in the same folder and renames it, so that a full disk
// or an error of write leaves the old file unchanged. If name is not a regular file, such as /dev/stdout, WriteFile writes to it
// directly. The error is a Failure with the code Unwritten, or that of write if it is a Failure.
func WriteFile(name string, write func(io.Writer) error) error { return writeFile(name, 0, write) }

// WritePrivate is WriteFile for a file that only its owner may read, also if it was there before with other rights.
func WritePrivate(name string, write func(io.Writer) error) error {
	return writeFile(name, 0o600, write)
}

// writeFile gives the file a mode, unless that is 0.
func writeFile(name string, want fs.FileMode, write func(io.Writer) error) error {
	target, mode, regular, err := resolve(name)
	if want != 0 {
		mode = want
	}
	if err == nil {
		if regular {
			err = replace(target, mode, write)
		} else {
			err = overwrite(target, write)
		}
	}
	if own := (Failure{}); err == nil || errors.As(err, &own) {
		return err
	}
	return unwritten(name, err)
}

// unwritten says why a file cannot be written.
func unwritten(name string, err error) error {
	missing := "its folder does not exist"
	if info, err := os.Stat(filepath.Dir(name)); err == nil && info.IsDir() {
		missing = "no file can be created in its folder"
	}
	return Failure{Unwritten, fmt.Errorf("cannot write %s: %w", name, reasonOf(err, missing))}
}

// CanWrite returns the error that WriteFile would return, as far as it is known beforehand. It changes no file.
func CanWrite(name string) error {
	target, mode, regular, err := resolve(name)
	if err == nil && regular {
		var f *os.File
		if f, err = beside(target, mode); err == nil {
			_, err = f.Write(make([]byte, 4096)) // a disk that is full takes files, but nothing in them
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return unwritten(name, err)
	}
	return nil
}

// TempDir makes a temporary folder, whose name begins with prefix. The error is a Failure with the code Unwritten.
func TempDir(prefix string) (string, error) {
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		err = Failure{Unwritten, fmt.Errorf("no temporary folder can be made in %s: %w; TMPDIR names another place", os.TempDir(), reasonOf(err, "it does not exist"))}
	}
	return dir, err
}

func replace(target string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := beside(target, mode)
	if err != nil {
		return err
	}
	err = errors.Join(buffered(f, write), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func overwrite(target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

func buffered(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(f, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// resolve follows symbolic links, so that WriteFile does not replace a link. A file that does not exist counts as a regular one.
func resolve(name string) (target string, mode fs.FileMode, regular bool, err error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return name, 0o666, true, nil
	case err != nil:
		return "", 0, false, err
	case info.IsDir():
		return "", 0, false, errors.New("it is a directory")
	}
	target, err = filepath.EvalSymlinks(name)
	return target, info.Mode().Perm(), info.Mode().IsRegular(), err
}

// beside creates a file in the folder of target, from which it can be renamed to target.
func beside(target string, mode fs.FileMode) (*os.File, error) {
	name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:8])
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

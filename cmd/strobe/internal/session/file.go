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

// Open opens the input called name: a file, or standard input for "-". The size is 0 where it is not known, and shown is what
// to call the input in messages.
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

// reasonOf returns what is wrong, without the operation and the name that the error begins with. Missing is the reason of a file
// or folder that does not exist.
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

// WriteFile writes a file whole or not at all: it writes a new file beside it and renames that, so that a full disk or an error
// of write leaves the old one as it was. What is not a regular file, such as /dev/stdout, is written to as it is. The error
// is a Failure with the code Unwritten, or the one that write returned if that is a Failure itself.
func WriteFile(name string, write func(io.Writer) error) error {
	target, mode, regular, err := resolve(name)
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

// CanWrite returns the error of WriteFile as far as it can be known beforehand. It changes no file.
func CanWrite(name string) error {
	target, mode, regular, err := resolve(name)
	if err == nil && regular {
		var f *os.File
		if f, err = beside(target, mode); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return unwritten(name, err)
	}
	return nil
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

// resolve follows symbolic links, so that a link stays one. A file that does not exist counts as a regular one.
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

// beside creates a file in the folder of target, where a rename to target is possible.
func beside(target string, mode fs.FileMode) (*os.File, error) {
	name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:8])
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

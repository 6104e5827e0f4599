// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A folder keeps the files of captures, the latest of them within a number of bytes. Several processes may use the same one.
type folder struct {
	dir  string
	most int64 // bytes of all capture files in it
}

const (
	prefix  = "strobe-"
	stamp   = "20060102T150405.000000Z" // in names, which so are in the order of time
	suffix  = ".html"
	partial = ".part"   // of a file that is being written, after its name, which begins with a dot
	stale   = time.Hour // after which such a file is one that a process left when it was killed
)

// write writes the file of a report, which others cannot read, and returns its name; "" with an error. The file is whole or absent. To
// make room, write deletes the oldest captures: none that is newer than the report, and nothing else.
func (f folder) write(r Report) (name string, err error) {
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		return "", err
	}
	if int64(b.Len()) > f.most {
		return "", fmt.Errorf("capture: a file of %d bytes exceeds Options.DiskBytes, which is %d", b.Len(), f.most)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return "", err
	}
	at := r.At.UTC().Format(stamp)
	if err := f.makeRoom(int64(b.Len()), at); err != nil {
		return "", err
	}
	base := prefix + at + "-" + cleaned(r.Root) + "-" + strings.ToLower(rand.Text()[:6]) + suffix
	name = filepath.Join(f.dir, base)
	if err := whole(name, filepath.Join(f.dir, "."+base+partial), b.Bytes()); err != nil {
		return "", err
	}
	return name, nil
}

// whole writes a file under another name first.
func whole(name, first string, data []byte) error {
	file, err := os.OpenFile(first, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(first, name)
	}
	if err != nil {
		os.Remove(first)
	}
	return err
}

// makeRoom deletes the oldest captures until there is room for more bytes, but none that is newer than a stamp.
func (f folder) makeRoom(bytes int64, at string) error {
	entries, err := os.ReadDir(f.dir) // by name, and so by time
	if err != nil {
		return err
	}
	used := bytes
	var ours []fs.FileInfo
	for _, e := range entries {
		begun := strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), partial)
		if stampOf(strings.TrimSuffix(strings.TrimPrefix(e.Name(), "."), partial)) == "" || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		switch {
		case err != nil: // another process has deleted it
		case begun && time.Since(info.ModTime()) > stale:
			os.Remove(filepath.Join(f.dir, e.Name()))
		case begun:
			used += info.Size()
		default:
			used += info.Size()
			ours = append(ours, info)
		}
	}
	for _, info := range ours {
		if used <= f.most {
			return nil
		}
		if stampOf(info.Name()) > at {
			break
		}
		if err := os.Remove(filepath.Join(f.dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		used -= info.Size()
	}
	if used > f.most {
		return fmt.Errorf("capture: newer captures in %s take the %d bytes of Options.DiskBytes", f.dir, f.most)
	}
	return nil
}

// stampOf returns the stamp in the name of a capture; "" for the name of another file.
func stampOf(name string) string {
	rest, found := strings.CutPrefix(name, prefix)
	if !found || !strings.HasSuffix(rest, suffix) || len(rest) <= len(stamp) || rest[len(stamp)] != '-' {
		return ""
	}
	if _, err := time.Parse(stamp, rest[:len(stamp)]); err != nil {
		return ""
	}
	return rest[:len(stamp)]
}

// cleaned returns the name of a root as a part of a file's name: every system can have it, and no shell sees more in it.
func cleaned(root string) string {
	const most = 40
	var b strings.Builder
	for _, r := range root {
		switch {
		case b.Len() == most:
			return b.String()
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if name := strings.TrimSuffix(b.String(), "-"); name != "" {
		return name
	}
	return "unit"
}

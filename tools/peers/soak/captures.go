// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/capture"
)

// sizeOfFolder returns what the files of captures take.
func (s *soak) sizeOfFolder() (bytes int64, err error) {
	files, err := os.ReadDir(s.Folder)
	for _, f := range files {
		if info, err := f.Info(); err == nil { // else it was just deleted
			bytes += info.Size()
		}
	}
	return bytes, err
}

// readCaptures reads all files: each is whole, and there are some if there were reports.
func (s *soak) readCaptures(reports uint64) error {
	files, err := os.ReadDir(s.Folder)
	if err != nil {
		return err
	}
	whole := 0
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") { // one that is being written
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.Folder, f.Name()))
		if errors.Is(err, fs.ErrNotExist) { // it was just deleted, for a newer one
			continue
		}
		if err != nil {
			return err
		}
		r, err := capture.Parse(text)
		s.checks.that(err == nil, "counts/captures", "%s: %v", f.Name(), err)
		if err == nil && r.Took > 0 {
			whole++
		}
	}
	s.checks.that(whole > 0 || reports == 0, "counts/captures", "%d reports, and no file", reports)
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// mostBytes is how much of a file is read. No capture is as long.
const mostBytes = 16 << 20

// A kept report is one that was read from a file.
type kept struct {
	file string
	capture.Report
}

// read reads the reports of files and folders, until an interrupt. single reports whether a single file was named. The error says
// which files cannot be read; with several, each has a line of its own before.
func read(s *session.Session, names []string) (all []kept, single bool, err error) {
	var files []string
	folders := false
	for _, name := range names {
		found, err := within(name)
		if err != nil {
			return nil, false, err
		}
		folders = folders || found != nil
		if found == nil {
			found = []string{name}
		}
		files = append(files, found...)
	}
	single = len(names) == 1 && !folders
	failed := 0
	for _, file := range files {
		if s.Interrupted() {
			break
		}
		r, shown, err := readFile(s, file)
		switch {
		case err == nil:
			if !single {
				r.Evidence = nil // thousands of files may be given
			}
			all = append(all, kept{shown, r})
		case single:
			return nil, true, err
		default:
			s.Warn("%v", err)
			failed++
		}
	}
	if failed > 0 {
		err = fmt.Errorf("%d of %s cannot be read", failed, layout.Plural(uint64(len(files)), "file"))
	}
	return all, single, err
}

// within returns the pages in a folder; nil if the name is not that of a folder.
func within(name string) ([]string, error) {
	info, err := os.Stat(name)
	if name == "-" || err != nil || !info.IsDir() {
		return nil, nil // if it is missing, opening it says so
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".html") && !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if files == nil {
		return nil, fmt.Errorf("%s has no captures: they are files that end in .html", name)
	}
	return files, nil
}

func readFile(s *session.Session, name string) (r capture.Report, shown string, err error) {
	in, shown, _, err := s.Open(name)
	if err != nil {
		return r, shown, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, mostBytes))
	if err == nil {
		r, err = capture.Parse(text)
	}
	if err != nil {
		err = fmt.Errorf("cannot read %s: %w", shown, err)
	}
	return r, shown, err
}

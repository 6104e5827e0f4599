// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/frames"
)

// checkGroups rejects invalid uses of --group before anything is read.
func (f *Flags) checkGroups() error {
	switch {
	case len(f.Group) == 0 && len(f.Files) == 0:
		return errors.New(`expected "<FILE> ..." or --group NAME FILE ... (see strobe frames --help)`)
	case len(f.Group) > 0 && len(f.Files) > 0:
		return fmt.Errorf("%s belongs to no group; put it after --group NAME", f.Files[0])
	case len(f.Group) == 0 && f.Gate != nil:
		return errors.New("--gate judges groups of runs: one run of each cannot distinguish a change from the variation between runs; give --group NAME FILE ... twice")
	case len(f.Group) == 1 && f.Gate != nil:
		return errors.New("--gate compares groups; give --group NAME FILE ... twice")
	case f.Gate != nil && f.Level.ForGate() != nil:
		return f.Level.ForGate()
	}
	var names []string
	for _, words := range f.Group {
		switch {
		case len(words) < 2:
			return fmt.Errorf("group %q has no files; name them behind --group %[1]s", words[0])
		case slices.Contains(names, words[0]):
			return fmt.Errorf("two groups have the name %q; put all files of a group after one --group", words[0])
		}
		names = append(names, words[0])
	}
	return nil
}

// readGroups reads the runs of all groups. A folder means the files in it. A group without a run is an error; all other
// failures are reported as by read.
func (f *Flags) readGroups(s *session.Session) (groups []frames.Group, damage []string, failed error) {
	for _, words := range f.Group {
		if s.Ctx.Err() != nil {
			break
		}
		g := frames.Group{Name: words[0]}
		var names []string
		for _, name := range words[1:] {
			found, err := filesOf(name)
			if err != nil {
				return nil, damage, err
			}
			for _, file := range found {
				if file != "-" && slices.Contains(names, file) {
					return nil, damage, fmt.Errorf("group %q has %s twice, and a run counts once", g.Name, file)
				}
				names = append(names, file)
			}
		}
		captures, lost, err := f.read(s, names)
		damage = append(damage, lost...)
		if err != nil {
			failed = err
		}
		g.Runs = captures
		if len(g.Runs) == 0 && !s.Interrupted() {
			return nil, damage, errors.Join(err, fmt.Errorf("group %q has no runs", g.Name))
		}
		if err := oneEach(g.Runs); err != nil {
			return nil, damage, err
		}
		if len(g.Runs) > 0 {
			groups = append(groups, g)
		}
	}
	return groups, damage, failed
}

// filesOf returns the files in a folder, in the order of their names, or the name itself if it is not a folder.
func filesOf(name string) ([]string, error) {
	info, err := os.Stat(name)
	if name == "-" || err != nil || !info.IsDir() {
		return []string{name}, nil // a missing file is reported when it is opened
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, filepath.Join(name, e.Name()))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the folder %s is empty", name)
	}
	return names, nil
}

// oneEach rejects files with captures of several programs: a run is one program running once. Only Factorio's log and CapFrameX's
// JSON contain several runs.
func oneEach(captures []frames.Capture) error {
	for i, c := range captures[min(1, len(captures)):] {
		if c.File == captures[i].File && c.Format != frames.FormatFactorio && c.Format != frames.FormatCapFrameX {
			var same []frames.Capture
			for _, o := range captures {
				if o.File == c.File {
					same = append(same, o)
				}
			}
			if c.Process == captures[i].Process {
				return fmt.Errorf("%s: %s has %d swap chains or processes, but a run has one; --pool joins them", c.File, c.Process, len(same))
			}
			return fmt.Errorf("%s has several processes, but a run has one; choose with --process: %s", c.File, processes(same))
		}
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

const exportVariable = "STROBE_EXPORT"

// An export is a file that gets the readings.
type export struct {
	file  string // its absolute path, since the program may change its folder
	write func(io.Writer, profile.Snapshot) error
	due   time.Time // for the next reading that is not the last
}

// exportEvery is how often the file is written.
const exportEvery = 2 * time.Second

// newExport returns an export to a file with that name, whose ending says what is written.
func newExport(name string) (*export, error) {
	e := &export{write: trace.WriteProfile}
	switch {
	case strings.HasSuffix(name, ".json"):
		e.write = writeSnapshot
	case strings.HasSuffix(name, ".html"):
		return nil, fmt.Errorf("%s=%q: the program writes no pages; give a name that ends in .json, and strobe open shows it as a page", exportVariable, name)
	case !strings.HasSuffix(name, ".pb.gz"):
		return nil, fmt.Errorf("the format of %s=%q is not known; give a name that ends in .json (strobe open shows it) or .pb.gz", exportVariable, name)
	}
	var err error
	if e.file, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Dir(e.file)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s=%q is in a folder that does not exist", exportVariable, name)
	}
	return e, nil
}

// put writes a reading, unless it is too early.
func (e *export) put(r tether.Reading) error {
	if !r.Last && time.Now().Before(e.due) {
		return nil
	}
	e.due = time.Now().Add(exportEvery)
	err := replace(e.file, func(w io.Writer) error { return e.write(w, r.Snapshot) })
	if err != nil {
		warn("cannot write %s: %v", exportVariable, err)
	}
	return err
}

func (e *export) close() {}

// replace writes a file beside the one that it replaces when it is complete.
func replace(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".strobe-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if all went well
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func writeSnapshot(w io.Writer, s profile.Snapshot) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

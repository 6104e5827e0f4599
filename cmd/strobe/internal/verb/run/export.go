// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

// A snapshotFile has the keys of what a running program answers at snapshot.json.
type snapshotFile struct {
	Version  int              `json:"version"`
	Program  string           `json:"program"`
	PID      int              `json:"pid"`
	Time     time.Time        `json:"time"`
	Snapshot profile.Snapshot `json:"snapshot"`
}

// export writes what was measured in the format of the file's ending. page writes a page.
func (x *report) export(w io.Writer, file, program string, page func(w io.Writer, program string, at time.Time, s profile.Snapshot) error) error {
	s, program := x.reading.Snapshot, strings.TrimSuffix(filepath.Base(program), ".exe")
	switch {
	case strings.HasSuffix(file, ".pb.gz"):
		return trace.WriteProfile(w, s)
	case strings.HasSuffix(file, ".html"):
		return page(w, program, x.end.at, s)
	}
	text, err := json.Marshal(snapshotFile{1, program, x.end.state.Pid(), x.end.at, s})
	if err != nil {
		return err
	}
	_, err = w.Write(append(plain.AppendJSON(nil, text), '\n'))
	return err
}

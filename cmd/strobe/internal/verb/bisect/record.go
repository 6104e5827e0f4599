// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A record is what a search was told, so that the same command can continue it. It is a file in the folder of git.
type record struct {
	Schema    int     `json:"schema"`
	Package   string  `json:"package"`
	Benchmark string  `json:"benchmark"`
	Layouts   int     `json:"layouts"` // of the first commit, which all others are compared with
	Events    []event `json:"events"`

	file string
}

// An event is one thing that a search was told.
type event struct {
	Commit   string      `json:"commit"`
	Layout   int         `json:"layout,omitempty"`  // it was measured in
	Rounds   []float64   `json:"rounds,omitempty"`  // logarithms of the ratio to the first commit
	Program  string      `json:"program,omitempty"` // that was built
	Skipped  string      `json:"skipped,omitempty"` // why it cannot be measured
	Compared *comparison `json:"compared,omitempty"`
}

// A comparison is that of a commit with one before it.
type comparison struct {
	Earlier   string         `json:"earlier"` // commit
	Outcome   decide.Outcome `json:"outcome"`
	Level     float64        `json:"level"` // confidence of the outcome
	Ratio     stat.Interval  `json:"ratio"`
	Change    string         `json:"change,omitempty"` // the ratio in percent
	Layouts   int            `json:"layouts"`
	ByLayout  []float64      `json:"by_layout"` // medians of the logarithms of the ratios
	Rewritten bool           `json:"rewritten,omitempty"`
}

// openRecord returns the record of an earlier run with the same commits and flags, or an empty one.
func (c *Command) openRecord(ctx context.Context, h *history) (*record, error) {
	dir, err := h.in.Git(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	same := c.Flags
	same.Range, same.MaxTime, same.Restart, same.Seed = "", 0, false, 0
	_, build := c.Rest.Packages(c.Packages)
	text, err := json.Marshal([]any{same, build, h.in.Prefix})
	if err != nil {
		return nil, err
	}
	for _, c := range h.commits {
		text = append(text, c.hash...)
	}
	r := &record{Schema: session.Schema, file: filepath.Join(dir, "strobe", fmt.Sprintf("bisect-%.12x.json", sha256.Sum256(text)))}
	if c.Restart {
		r.remove()
		return r, nil
	}
	old := record{file: r.file}
	if text, err = os.ReadFile(r.file); err != nil || json.Unmarshal(text, &old) != nil || old.Schema != r.Schema || old.Layouts < 1 {
		return r, nil
	}
	return &old, nil
}

// add adds an event and writes the record, as far as it can be written.
func (r *record) add(e event) {
	r.Events = append(r.Events, e)
	if os.MkdirAll(filepath.Dir(r.file), 0o777) != nil {
		return
	}
	_ = session.WriteFile(r.file, func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
}

// kept reports whether another run could continue from the record.
func (r *record) kept() bool {
	_, err := os.Stat(r.file)
	return err == nil
}

// remove removes the file, and its folder if no other search has one there.
func (r *record) remove() {
	os.Remove(r.file)
	os.Remove(filepath.Dir(r.file))
}

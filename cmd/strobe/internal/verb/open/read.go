// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
)

// mostBytes is how long a file may be: all of it is held in memory.
const mostBytes = 512 << 20

// A shown file is what the server answers with.
type shown struct {
	file string
	kind string
	page []byte
	own  bool              // the page was written here, and not by whoever sent the file
	more *timeline         // answers with the spans of a stretch of time; nil for other files
	by   map[string][]byte // pages of a profile, by the kind of value; nil for other files
}

// read reads the file and makes its page.
func (c *Command) read(s *session.Session) (x shown, err error) {
	in, name, _, err := s.Open(c.File)
	if err != nil {
		return x, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, mostBytes+1))
	switch {
	case err != nil:
		return x, fmt.Errorf("cannot read %s: %w", name, err)
	case len(text) > mostBytes:
		return x, fmt.Errorf("%s has more than %d MiB, which is the limit; record a shorter time", name, mostBytes>>20)
	}
	if text, err = unpacked(text); err != nil {
		return x, fmt.Errorf("cannot show %s: %w", name, err)
	}
	x = shown{file: name, own: true}
	var page bytes.Buffer
	switch x.kind = kindOf(text); x.kind {
	case "capture":
		var r capture.Report
		if r, err = capture.Parse(text); err == nil {
			err = capture.Write(&page, r)
		}
	case "report":
		x.own = false
		page.Write(text)
	case "timeline":
		if x.more, err = readTimeline(text); err == nil {
			err = x.more.write(&page, name)
		}
	case "snapshot":
		var t profile.Snapshot
		var m message
		if t, m, err = readSnapshot(text); err == nil {
			err = writeSnapshot(&page, name, t, m)
		}
	case "profile":
		var p *pprof.Profile
		if p, err = readProfile(text); err == nil {
			if x.by, err = writeProfile(p, name); err == nil {
				page.Write(x.by[""])
			}
		}
	case "frame times":
		err = c.Frames(s, name, bytes.NewReader(text), &page)
	default:
		err = errors.New(x.kind)
	}
	if err != nil {
		return x, fmt.Errorf("cannot show %s: %w", name, err)
	}
	x.page = page.Bytes()
	return x, nil
}

// unpacked returns what gzip has compressed, as it does profiles, and other text as it is.
func unpacked(text []byte) ([]byte, error) {
	if !bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return text, nil
	}
	in, err := gzip.NewReader(bytes.NewReader(text))
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(in, mostBytes+1))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is compressed, and damaged: %w", err)
	case len(text) > mostBytes:
		return nil, fmt.Errorf("it is compressed, and has more than %d MiB, which is the limit", mostBytes>>20)
	}
	return text, nil
}

// generator is what each page of strobe has in its head.
const generator = `<meta name="generator" content="strobe`

// kindOf says what a file is, by its content. For a file that cannot be shown it says why.
func kindOf(text []byte) string {
	start := bytes.TrimLeft(bytes.TrimPrefix(text[:min(len(text), 64<<10)], []byte("\ufeff")), " \t\r\n")
	switch {
	case len(start) == 0:
		return "it is empty"
	case bytes.IndexByte(text, 0) >= 0 && isProfile(text): // its list of texts begins with an empty one
		return "profile"
	case isPerfetto(text):
		return "timeline"
	case bytes.HasPrefix(start, []byte("go 1.")) && bytes.HasPrefix(start[min(len(start), 7):], []byte(" trace\x00")):
		return "it is an execution trace of Go: go tool trace shows it"
	case start[0] == '<' && bytes.Contains(text, []byte(`id="capture">`)) && bytes.Contains(start, []byte(generator)):
		return "capture"
	case start[0] == '<' && bytes.Contains(start, []byte(generator)):
		return "report"
	case start[0] == '<':
		return "it is a page that strobe did not write"
	case start[0] == '[':
		return "timeline" // a list of Chrome's events
	case start[0] == '{':
		return kindOfObject(text)
	case bytes.IndexByte(start, 0) >= 0:
		return "it is no text; if it is a trace of Perfetto, ui.perfetto.dev shows it"
	}
	return "frame times"
}

// kindOfObject says what an object in JSON is, by its keys.
func kindOfObject(text []byte) string {
	var keys struct {
		Events   json.RawMessage `json:"events"`
		Chrome   json.RawMessage `json:"traceEvents"`
		Lanes    json.RawMessage `json:"lanes"`
		Snapshot json.RawMessage `json:"snapshot"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &keys); err != nil {
		return "it is damaged: " + err.Error()
	}
	switch {
	case keys.Chrome != nil, keys.Events != nil && keys.Lanes != nil:
		return "timeline"
	case keys.Snapshot != nil, keys.Lanes != nil:
		return "snapshot"
	}
	return "frame times"
}

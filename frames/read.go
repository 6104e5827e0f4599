// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"io"
)

// ReadOptions configure Read. The zero value reads a file by its content alone.
type ReadOptions struct {
	// File is the name that captures and errors carry. Read opens nothing.
	File string
	// Column names the column of a table to take as frame times, whatever the format. Empty: the frame time of the format.
	Column string
	// Unit of the frame times: "ns", "us", "ms" or "s". Empty: the format's own, and milliseconds for lists and unknown tables.
	Unit string
	// PoolByName puts all processes of one name, and all their swap chains, into one capture, in the order of the file. Off: each
	// swap chain of each process has its own capture, since frames of different swap chains do not follow each other.
	PoolByName bool
	// Size is the length of the file in bytes. A long capture takes less memory when it is known; whether it is right changes
	// nothing else. Zero: unknown.
	Size int64
	// MaxFrames bounds how many frames are kept, over all processes. Zero: 20 million. Negative: no bound.
	MaxFrames int
}

// maxCaptures bounds the number of processes and swap chains in one file.
const maxCaptures = 1024

// maxName bounds the length of the names in a row.
const maxName = 4096

// SyntaxError reports damage in a file: the first place, and the number of others.
type SyntaxError struct {
	File   string
	Line   int // from 1; 0 when the file as a whole is meant
	Reason string
	More   int   // further damaged lines
	Err    error // the error of the underlying reader, if that was the reason
}

// Error returns file, line and reason in one line.
func (e *SyntaxError) Error() string {
	file := e.File
	if file == "" {
		file = "input"
	}
	s := fmt.Sprintf("%s:%d: %s", file, e.Line, e.Reason)
	if e.Line == 0 {
		s = fmt.Sprintf("%s: %s", file, e.Reason)
	}
	if e.More > 0 {
		s += fmt.Sprintf(" (and %d more damaged lines)", e.More)
	}
	return s
}

// Unwrap returns the error of the underlying reader, or nil.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Read reads a capture file of any supported format, recognised by content: PresentMon 1.x, 2.x and current, CapFrameX (JSON and
// CSV), OCAT, FrameView, MangoHud, FRAPS, Unreal's CSV profiler, Unity's Profile Analyzer, Factorio's verbose benchmark (and
// belt's export of it), a timeline of strobe (as JSON or as a Chrome trace), a table with a chosen column, or a plain list. UTF-8
// and UTF-16, with or without byte order mark, comma, semicolon and tab, decimal commas and empty cells are understood.
//
// It returns one Capture per process and swap chain (or run, or loop), in order of appearance. The error, when there is one, is a
// *SyntaxError; what could be read is returned beside it, so captures may be usable although err is not nil. Without any frame
// time the slice is empty and err is not nil.
//
// Read streams: it keeps the frame times and at most one line of 4 MiB. Safe for concurrent use on different readers.
func Read(r io.Reader, o ReadOptions) ([]Capture, error) {
	if _, ok := unitNamed(o.Unit); o.Unit != "" && !ok {
		return nil, &SyntaxError{File: o.File, Reason: fmt.Sprintf("unit %q is not one of ns, us, ms, s", o.Unit)}
	}
	if o.MaxFrames == 0 {
		o.MaxFrames = 20_000_000
	}
	in, err := newLines(r)
	if err != nil {
		return nil, &SyntaxError{File: o.File, Reason: err.Error(), Err: err}
	}
	in.size = o.Size
	rd := &reader{o: o, in: in, index: make(map[string]*builder)}
	if in.isObject() {
		rd.session()
	} else {
		rd.all()
	}
	captures := rd.captures()
	if rd.damage == nil && len(captures) == 0 {
		rd.spoil(0, rd.nothing())
	}
	if rd.damage != nil {
		return captures, rd.damage
	}
	return captures, nil
}

func (rd *reader) all() {
	for !rd.full {
		line, err := rd.in.next()
		switch {
		case err == io.EOF:
			return
		case err == errLongLine:
			rd.spoil(rd.in.number, err.Error())
			continue
		case err != nil:
			rd.spoil(rd.in.number+1, "reading failed: "+err.Error())
			rd.damage.Err = err
			return
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		switch {
		case rd.list != nil:
			rd.listLine(line)
		case rd.h != nil:
			if bytes.Count(line, quotes)%2 == 1 {
				line = rd.in.record(line)
			}
			rd.row(line)
		default:
			if rd.before(line) == errStop {
				return
			}
		}
	}
}

func (rd *reader) captures() []Capture {
	var out []Capture
	usable := 0
	for _, b := range rd.builders {
		if b.frames.len() > 0 {
			usable++
		}
	}
	for _, b := range rd.builders {
		if b.frames.len() == 0 {
			continue
		}
		c := b.finish(rd.h, usable > 1)
		if rd.o.Column != "" && rd.h != nil && onlyRises(c.Frames) {
			rd.spoil(0, fmt.Sprintf("column %q only rises, so it holds time stamps, not frame times: choose another", clip(c.Column)))
			continue
		}
		if len(rd.info) > 0 {
			if c.Info == nil {
				c.Info = make(map[string]string, len(rd.info))
			}
			for k, v := range rd.info {
				c.Info[k] = v
			}
		}
		out = append(out, c)
	}
	return out
}

// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// ReadOptions says how to read a file whose content does not say enough.
type ReadOptions struct {
	// File is the name that captures and errors carry. Read opens nothing.
	File string
	// Column names the column of a table to take as frame times, whatever the
	// format. Empty: the frame time of the format.
	Column string
	// Unit of the frame times: "ns", "us", "ms" or "s". Empty: the format's
	// own, and milliseconds for lists and unknown tables.
	Unit string
	// PoolByName puts all processes of one name, and all their swap chains,
	// into one capture, in the order of the file. Off: each swap chain of each
	// process has a capture of its own, since frames of different swap chains
	// do not follow each other.
	PoolByName bool
	// MaxFrames bounds how many frames are kept, over all processes.
	// Zero: 20 million. Negative: no bound.
	MaxFrames int
}

// maxCaptures bounds the number of processes and swap chains in one file.
const maxCaptures = 1024

// maxName bounds what a row may say about whose frame it is.
const maxName = 4096

// SyntaxError is damage found in a file: the first place, and how many more.
type SyntaxError struct {
	File   string
	Line   int // from 1; 0 when the file as a whole is meant
	Reason string
	More   int   // further damaged lines
	Err    error // the error of the underlying reader, if that was the reason
}

// Error tells file, line and reason in one line.
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

// Read reads a capture file of any supported format, recognised by content:
// PresentMon 1.x, 2.x and current, CapFrameX and OCAT, MangoHud, Factorio's
// verbose benchmark (and belt's export of it), a table with a chosen column,
// or a plain list. UTF-8 and UTF-16, with or without byte order mark, comma,
// semicolon and tab, decimal commas and empty cells are understood.
//
// It returns one Capture per process and swap chain (or run), in order of
// appearance. The error, when there is one, is a *SyntaxError; what could be
// read is returned beside it, so captures may be usable although err is not
// nil. Without any frame time the slice is empty and err is not nil.
//
// Read streams: it keeps the frame times and at most one line of 4 MiB.
// Safe for concurrent use on different readers.
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
	rd := &reader{o: o, in: in, index: make(map[string]*builder)}
	rd.all()
	captures := rd.captures()
	if rd.damage == nil && len(captures) == 0 {
		rd.spoil(0, rd.nothing())
	}
	if rd.damage != nil {
		return captures, rd.damage
	}
	return captures, nil
}

// reader is the state of one Read.
type reader struct {
	o  ReadOptions
	in *lines

	preamble
	h    *header // the table's header, once seen
	list *list   // or the list's habits

	fields   [][]byte
	width    int // cells in the row before
	key      []byte
	lastKey  string
	last     *builder
	index    map[string]*builder
	builders []*builder
	kept     int
	runs     int // repeated headers of a Factorio log
	scratch  []byte

	full   bool
	damage *SyntaxError
}

// errStop ends reading early without being damage itself.
var errStop = errors.New("stop")

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
			rd.row(line)
		default:
			if rd.before(line) == errStop {
				return
			}
		}
	}
}

// spoil notes damage; only the first is kept in full.
func (rd *reader) spoil(line int, reason string) {
	if rd.damage != nil {
		rd.damage.More++
		return
	}
	rd.damage = &SyntaxError{File: rd.o.File, Line: line, Reason: reason}
}

// row reads one line of a table.
func (rd *reader) row(line []byte) {
	h := rd.h
	if h.format == FormatFactorio && h.run < 0 && !rd.factorioRow(line) {
		return
	}
	var err error
	if rd.fields, err = split(line, h.sep, rd.fields); err != nil {
		rd.spoil(rd.in.number, err.Error())
		return
	}
	for len(rd.fields) > len(h.names) && len(bytes.TrimSpace(rd.fields[len(rd.fields)-1])) == 0 {
		rd.fields = rd.fields[:len(rd.fields)-1]
	}
	width := rd.width
	rd.width = len(rd.fields)
	switch {
	case len(rd.fields) > len(h.names):
		rd.spoil(rd.in.number, fmt.Sprintf("the row has %d cells, the header %d (decimal commas need another separator)",
			len(rd.fields), len(h.names)))
		return
	case len(rd.fields) <= h.time:
		rd.spoil(rd.in.number, fmt.Sprintf("the row has %d cells, the frame time stands in cell %d", len(rd.fields), h.time+1))
		return
	case rd.in.cut && width > len(rd.fields):
		rd.spoil(rd.in.number, "the file ends in the middle of a row")
		return
	}
	cellAt := func(i int) []byte {
		if i < 0 || i >= len(rd.fields) {
			return nil
		}
		return rd.fields[i]
	}
	text := cellAt(h.time)
	if len(text) == len(h.names[h.time]) && bytes.EqualFold(text, []byte(h.names[h.time])) {
		return // the header again, from files put one after the other
	}
	ms, kind := parse(text, h.unit, true, rd.scratch)
	if kind == garbage {
		rd.spoil(rd.in.number, fmt.Sprintf("frame time %s is not a number", quote(text)))
		return
	}
	b := rd.builderFor(cellAt)
	if b == nil {
		return
	}
	if kind == empty || ms <= 0 {
		b.Skipped++
		return
	}
	if !rd.keep(b, ms, text) {
		return
	}
	if h.start >= 0 {
		stamp, kind := parse(cellAt(h.start), unit{}, true, rd.scratch)
		b.noStamp = b.noStamp || kind != number
		b.Starts = append(b.Starts, stamp)
	}
	if e, kind := parse(cellAt(h.animation), milliseconds, true, rd.scratch); kind == number && e > -longest && e < longest {
		b.AnimationError = append(b.AnimationError, e)
	}
	if h.dropped >= 0 {
		b.showsDrop = true
		if flag, ok := integer(cellAt(h.dropped)); ok && flag != 0 {
			b.Dropped++
		}
	} else if h.display >= 0 {
		b.showsDrop = true
		if _, kind := parse(cellAt(h.display), milliseconds, true, rd.scratch); kind != number {
			b.Dropped++
		}
	}
	if t := string(bytes.TrimSpace(cellAt(h.kind))); t != "" && !slices.Contains([]string{"Application", "NotSet", "Repeated", "NA"}, t) {
		b.Generated++
	}
}

// keep appends a frame time, unless it is impossible or there is no room.
func (rd *reader) keep(b *builder, ms float64, text []byte) bool {
	if ms < shortest || ms > longest {
		rd.spoil(rd.in.number, fmt.Sprintf("a frame of %s cannot be: shorter than a nanosecond or longer than eleven days", quote(text)))
		return false
	}
	if rd.o.MaxFrames >= 0 && rd.kept >= rd.o.MaxFrames {
		rd.spoil(rd.in.number, fmt.Sprintf("more than %d frames; the rest is not read", rd.o.MaxFrames))
		rd.full = true
		return false
	}
	rd.kept++
	b.Frames = append(b.Frames, ms)
	return true
}

// builderFor finds the capture a row belongs to.
func (rd *reader) builderFor(cellAt func(int) []byte) *builder {
	h := rd.h
	rd.key = rd.key[:0]
	keys := [...]int{h.app, h.run, h.pid, h.chain}
	named := keys[:]
	if rd.o.PoolByName && h.app >= 0 {
		named = keys[:2]
	}
	for _, i := range named {
		rd.key = append(append(rd.key, bytes.TrimSpace(cellAt(i))...), 0)
	}
	if h.run < 0 {
		rd.key = fmt.Append(rd.key, rd.runs)
	}
	if len(rd.key) > maxName {
		rd.spoil(rd.in.number, "the names of process and swap chain are longer than 4096 bytes")
		return nil
	}
	if rd.last != nil && rd.lastKey == string(rd.key) {
		return rd.last
	}
	b := rd.index[string(rd.key)]
	if b == nil {
		if len(rd.builders) >= maxCaptures {
			rd.spoil(rd.in.number, fmt.Sprintf("more than %d processes and swap chains; this row is skipped", maxCaptures))
			return nil
		}
		b = &builder{run: clean(cellAt(h.run))}
		if h.run < 0 {
			b.run = fmt.Sprint(rd.runs)
		}
		b.File, b.Format, b.Column = rd.o.File, h.format, h.names[h.time]
		b.Process = clean(cellAt(h.app))
		if len(named) == len(keys) {
			b.PID, _ = integer(cellAt(h.pid))
			b.SwapChain = clean(cellAt(h.chain))
		}
		rd.firstRow(b, cellAt)
		rd.index[string(rd.key)] = b
		rd.builders = append(rd.builders, b)
	}
	rd.last, rd.lastKey = b, string(rd.key)
	return b
}

func (rd *reader) captures() []Capture {
	var out []Capture
	usable := 0
	for _, b := range rd.builders {
		if len(b.Frames) > 0 {
			usable++
		}
	}
	for _, b := range rd.builders {
		if len(b.Frames) == 0 {
			continue
		}
		c := b.finish(rd.h, usable > 1)
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

// clean makes a name out of a file's bytes that can be printed anywhere.
func clean(b []byte) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, string(bytes.TrimSpace(b)))
}

// quote shows a piece of a damaged file without letting it run wild.
func quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}

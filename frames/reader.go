// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"errors"
	"fmt"
	"strings"
)

// reader is the state of one Read.
type reader struct {
	o  ReadOptions
	in *lines

	preamble
	process string  // the program that was captured, if the lines before the frames name it
	h       *header // the table's header, once seen
	list    *list   // or the form of the list

	fields   [][]byte
	width    int // number of cells in the previous row
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

// maxInfo bounds the header block that is kept.
const maxInfo = 64

// preamble holds what precedes the frames: CapFrameX's key=value lines, MangoHud's system lines, or Factorio's console output.
type preamble struct {
	info      map[string]string
	infoBlock bool     // key=value lines were seen
	system    []string // MangoHud's names of system facts; their values are next
	versioned bool     // MangoHud's "v1" was read: its version is next
	header    []string // the first line that could have been a table's header
	headerAt  int
	first     string // the first line, for the error message
}

func (p *preamble) tell(key, value string) {
	key, value = clean([]byte(key)), clean([]byte(value))
	if key == "" || value == "" || len(p.info) >= maxInfo || len(key)+len(value) > 1024 {
		return
	}
	if p.info == nil {
		p.info = make(map[string]string)
	}
	p.info[key] = value
}

// spoil records damage; only the first is kept in full.
func (rd *reader) spoil(line int, reason string) {
	if rd.damage != nil {
		rd.damage.More++
		return
	}
	rd.damage = &SyntaxError{File: rd.o.File, Line: line, Reason: reason}
}

// keep appends a frame time unless it is out of range or there is no room.
func (rd *reader) keep(b *builder, ms float64, text []byte) bool {
	if ms < shortest || ms > longest {
		rd.spoil(rd.in.number, fmt.Sprintf("a frame time of %s is out of range: frames last between a nanosecond and eleven days", quote(text)))
		return false
	}
	if rd.o.MaxFrames >= 0 && rd.kept >= rd.o.MaxFrames {
		rd.spoil(rd.in.number, fmt.Sprintf("more than %d frames; the rest is not read", rd.o.MaxFrames))
		rd.full = true
		return false
	}
	rd.kept++
	b.frames.push(ms, rd.in)
	return true
}

func (rd *reader) startList(column string, format Format) {
	b := &builder{}
	b.File, b.Format, b.Column = rd.o.File, format, column
	rd.builders = append(rd.builders, b)
	rd.last = b
}

// nothing explains why no frame time was found, and what to do.
func (rd *reader) nothing() string {
	switch {
	case len(rd.builders) > 0 && rd.builders[0].Skipped > 0:
		return "no row has a positive frame time"
	case rd.list != nil || rd.h != nil:
		return "no frame time in the file: there is a header but no row with a number"
	case rd.first == "":
		return "the file is empty"
	case len(rd.header) > 1:
		names := rd.header
		more := ""
		if len(names) > 12 {
			names, more = names[:12], ", …"
		}
		what := "no known frame-time column"
		if rd.o.Column != "" {
			what = fmt.Sprintf("no column named %q", rd.o.Column)
		}
		return clip(fmt.Sprintf("%s; the columns are %s%s: choose one by name", what, strings.Join(names, ", "), more))
	}
	return "no capture format recognised; the file begins " + rd.first
}

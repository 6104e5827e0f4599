// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"errors"
	"strings"
)

const maxColumns = 4096

var (
	errQuote   = errors.New("a quote is not closed")
	errColumns = errors.New("more than 4096 columns")
)

// split cuts a line at sep, leaving separators inside double quotes alone. The fields share the line's bytes, which it may
// change, and dst's memory. Quotes around a field are removed, and doubled quotes inside become single.
func split(line []byte, sep byte, dst [][]byte) ([][]byte, error) {
	dst = dst[:0]
	for {
		var field []byte
		if rest := bytes.TrimLeft(line, " "); len(rest) > 0 && rest[0] == '"' {
			end := closingQuote(rest)
			if end < 0 {
				return dst, errQuote
			}
			field, line = undouble(rest[1:end]), rest[end+1:]
			at := bytes.IndexByte(line, sep)
			if at < 0 {
				return append(dst, field), nil
			}
			line = line[at+1:]
		} else {
			at := bytes.IndexByte(line, sep)
			if at < 0 {
				return append(dst, line), nil
			}
			field, line = line[:at], line[at+1:]
		}
		dst = append(dst, field)
		if len(dst) >= maxColumns {
			return dst, errColumns
		}
	}
}

// unquote takes off the quotes around a text, if it has them.
func unquote(text []byte) []byte {
	text = bytes.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == '"' && closingQuote(text) == n-1 {
		return undouble(text[1 : n-1])
	}
	return text
}

// undouble makes doubled quotes single, in place.
func undouble(field []byte) []byte {
	if bytes.IndexByte(field, '"') < 0 {
		return field
	}
	out := field[:0]
	for i := 0; i < len(field); i++ {
		out = append(out, field[i])
		if field[i] == '"' {
			i++ // closingQuote has checked that another follows
		}
	}
	return out
}

// closingQuote finds the quote that ends the field which b[0] opens.
func closingQuote(b []byte) int {
	for i := 1; i < len(b); i++ {
		if b[i] == '"' {
			if i+1 < len(b) && b[i+1] == '"' {
				i++
				continue
			}
			return i
		}
	}
	return -1
}

// separator guesses the separator of a header line.
func separator(line []byte) byte {
	best, most := byte(','), 0
	for _, sep := range []byte{',', ';', '\t'} {
		if n := bytes.Count(line, []byte{sep}); n > most {
			best, most = sep, n
		}
	}
	return best
}

// header is a table's first line: the position of each column, or -1 if the table has no such column.
type header struct {
	format Format
	names  []string // as written
	sep    byte

	time, start, app, pid, chain, dropped, display, animation, kind, run, gpu int

	latency    [2]int // columns of latency, the better one first
	cumulative bool   // the column holds stamps, whose differences are the frame times
	ragged     bool   // rows may be longer than the header

	unit      unit // of the frame times
	startUnit unit
	startAsks bool // the unit of the stamps must be inferred from the stamps
}

// frameTimeNames are the columns that hold a frame time by default, best first.
var frameTimeNames = []string{
	"msbetweenpresents", "msbetweenapppresents", "frametime",
	"frame_time", "frametime_ms", "frame_time_ms", "frametimems",
	"frame time", "frame time (ms)", "frametime (ms)", "frame time [ms]", "frametime [ms]",
	"delta (ms)",
	"wholeupdate",
}

// startColumn is a column of time stamps and its unit; a zero unit means that the name does not determine it (ticks of a
// performance counter, or seconds in one version and milliseconds in another).
type startColumn struct {
	name string
	unit unit
}

var startColumns = []startColumn{
	{"timeinseconds", seconds}, {"timeinms", milliseconds}, {"timeinqpc", unit{}}, {"qpctime", unit{}},
	{"cpustarttimeinseconds", seconds}, {"cpustarttimeinms", milliseconds}, {"cpustartqpctimeinms", milliseconds},
	{"cpustartqpctime", milliseconds}, {"cpustarttime", unit{}}, {"cpustartqpc", unit{}},
	{"time from first frame (ms)", milliseconds},
}

// recognise reads a header line. It returns false if the line names no frame times: it is then part of a preamble, data, or of an
// unknown format.
func recognise(line []byte, o ReadOptions, infoBlock bool) (*header, bool) {
	h := &header{sep: separator(line), unit: milliseconds}
	cells, err := split(line, h.sep, nil)
	if err != nil {
		return nil, false
	}
	at := make(map[string]int, len(cells))
	for i, c := range cells {
		name := clean(c)
		h.names = append(h.names, name)
		if _, seen := at[strings.ToLower(name)]; !seen {
			at[strings.ToLower(name)] = i
		}
	}
	find := func(names ...string) int {
		for _, n := range names {
			if i, ok := at[n]; ok {
				return i
			}
		}
		return -1
	}
	has := func(names ...string) bool { return find(names...) >= 0 }

	h.time = find(frameTimeNames...)
	if o.Column != "" {
		h.time = find(strings.ToLower(strings.TrimSpace(o.Column)))
	}
	if stamps := find("time (ms)"); has("frame") && stamps >= 0 && (h.time < 0 || h.time == stamps) {
		h.time, h.cumulative = stamps, true
	}
	if h.time < 0 {
		return nil, false
	}
	h.app = find("application", "process", "processname", "process_name")
	h.pid = find("processid", "pid")
	h.chain = find("swapchainaddress")
	h.dropped = find("dropped", "appmissed")
	h.display = find("msbetweendisplaychange", "displayedtime")
	h.animation = find("msanimationerror", "animationerror")
	h.kind = find("frametype")
	h.gpu = find("msgpubusy", "gpubusy", "msgpuactive")
	h.latency = [2]int{find("mspclatency", "pclatency"), find("msuntildisplayed", "displaylatency")}
	h.run = -1
	h.start = -1
	for _, s := range startColumns {
		if h.start = find(s.name); h.start >= 0 {
			h.startUnit, h.startAsks = s.unit, s.unit.factor == 0
			break
		}
	}
	switch {
	case has("tick") && has("wholeupdate", "run"):
		h.format, h.unit = FormatFactorio, nanoseconds
		h.run = find("run")
		h.start, h.startUnit, h.startAsks = find("timestamp"), nanoseconds, false
	case h.cumulative:
		h.format = FormatFRAPS
	case has("frame offset") && has("frame index"):
		h.format = FormatUnity
	case has("frametime") && has("gamethreadtime") && has("renderthreadtime"):
		// Columns that first appear during the run are only in the header at the end.
		h.format, h.ragged = FormatUnreal, true
		h.gpu, h.latency[0] = find("gputime"), find("inputlatencytime")
	case has("frametime") && has("fps") && !has("application"):
		h.format = FormatMangoHud
		h.start, h.startUnit, h.startAsks = find("elapsed"), nanoseconds, false
	case has("application") && has("msbetweenpresents") && infoBlock:
		h.format = FormatCapFrameX
	case has("application") && has("msbetweenpresents") && has("render queue depth"):
		h.format = FormatFrameView
	case has("application") && has("msbetweenpresents") && has("motherboard"):
		h.format = FormatOCAT
	case has("application") && has("presentruntime") && has("msbetweenpresents"):
		h.format = FormatPresentMon
	case has("application") && has("presentruntime"):
		h.format = FormatPresentMon2
	case has("application") && has("msbetweenpresents"):
		h.format = FormatPresentMon1
	default:
		h.format = FormatCSV
	}
	if o.Unit != "" {
		h.unit, _ = unitNamed(o.Unit)
	}
	return h, true
}

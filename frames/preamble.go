// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"strings"
)

// maxInfo bounds the header block that is kept.
const maxInfo = 64

// preamble is what stands before the frames: CapFrameX' key=value lines,
// MangoHud's system lines, the console output of Factorio.
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
	key, value = clean([]byte(key)), strings.Trim(clean([]byte(value)), `"`)
	if key == "" || value == "" || len(p.info) >= maxInfo || len(key)+len(value) > 1024 {
		return
	}
	if p.info == nil {
		p.info = make(map[string]string)
	}
	p.info[key] = value
}

// before reads a line while no frames have been found yet.
func (rd *reader) before(line []byte) error {
	if rd.first == "" {
		rd.first = quote(line)
	}
	if key, ok := bytes.CutPrefix(line, []byte("//")); ok {
		rd.infoBlock = true
		k, v, _ := bytes.Cut(key, []byte("="))
		rd.tell(string(k), string(v))
		return nil
	}
	if rd.versioned || line[0] == '#' || bytes.HasPrefix(line, []byte("---")) {
		rd.versioned = false
		return nil
	}
	if rd.in.number == 1 && string(line) == "v1" {
		rd.versioned = true
		return nil
	}
	if line[0] == '{' || line[0] == '[' {
		rd.spoil(rd.in.number, "this is JSON, which is not read; give the capture as CSV or as a list of frame times")
		return errStop
	}
	if rd.system != nil {
		values, err := split(line, ',', nil)
		for i := 0; err == nil && i < len(values) && i < len(rd.system); i++ {
			rd.tell(rd.system[i], string(values[i]))
		}
		rd.system = nil
		return nil
	}
	if bytes.HasPrefix(line, []byte("os,cpu,")) {
		rd.system = strings.Split(string(line), ",")
		return nil
	}
	if h, ok := recognise(line, rd.o, rd.infoBlock); ok {
		if len(h.names) == 1 { // one column: its rows may use the decimal comma
			rd.list = &list{unit: h.unit}
			rd.startList(h.names[0], h.format)
		} else {
			rd.h = h
		}
		return nil
	}
	rd.factorioSays(line)
	if l, ok := newList(line, rd.o); ok && rd.o.Column == "" {
		if len(rd.header) > 1 {
			rd.spoil(rd.headerAt, rd.nothing())
			return errStop
		}
		rd.list = l
		name := ""
		if len(rd.header) == 1 {
			name = rd.header[0]
		}
		rd.startList(name, FormatList)
		rd.listLine(line)
		return nil
	}
	if cells, err := split(line, separator(line), nil); err == nil && (rd.header == nil || len(cells) > 1 && len(rd.header) == 1) {
		rd.header, rd.headerAt = nil, rd.in.number
		for _, c := range cells {
			rd.header = append(rd.header, strings.TrimSpace(string(c)))
		}
	}
	return nil
}

// nothing says why no frame time was found, and what to do.
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

// clip keeps a message made of a file's own words to one short line.
func clip(s string) string {
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return clean([]byte(s))
}

// firstRow takes what OCAT writes about the machine into the first row only.
func (rd *reader) firstRow(b *builder, cellAt func(int) []byte) {
	if b.Format != FormatOCAT {
		return
	}
	from := -1
	for i, name := range rd.h.names {
		if strings.EqualFold(name, "Motherboard") {
			from = i
		}
		if from >= 0 {
			rd.tell(name, string(cellAt(i)))
		}
	}
}

// factorioRow reports whether a line after the header of Factorio's verbose
// dump is a tick. The dump stands amid console output, and every run of a
// benchmark writes its own header.
func (rd *reader) factorioRow(line []byte) bool {
	if bytes.HasPrefix(line, []byte("tick,")) {
		rd.runs++
		return false
	}
	if len(line) > 1 && line[0] == 't' && line[1] >= '0' && line[1] <= '9' {
		return true
	}
	rd.factorioSays(line)
	return false
}

// factorioSays picks the version out of Factorio's console output.
func (rd *reader) factorioSays(line []byte) {
	if !bytes.Contains(line, []byte("Factorio")) || !bytes.Contains(line, []byte("(build")) || len(line) > 400 {
		return
	}
	words := strings.Fields(string(line))
	for i, w := range words {
		if w == "Factorio" && i+1 < len(words) {
			rd.tell("version", words[i+1])
		}
	}
}

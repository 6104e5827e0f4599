// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"strings"
)

// before reads a line while no frames have been found yet.
func (rd *reader) before(line []byte) error {
	if rd.first == "" {
		rd.first = quote(line)
	}
	if key, ok := bytes.CutPrefix(line, []byte("//")); ok {
		rd.infoBlock = true
		k, v, _ := bytes.Cut(key, []byte("="))
		rd.tell(string(k), string(unquote(v)))
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
	if bytes.IndexByte(line, 0) >= 0 {
		rd.spoil(rd.in.number, "this is binary data, not a text capture")
		return errStop
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

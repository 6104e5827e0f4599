// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// row reads one line of a table.
func (rd *reader) row(line []byte) {
	h := rd.h
	if h.format == FormatFactorio && h.run < 0 && !rd.factorioRow(line) {
		return
	}
	if h.format == FormatUnreal && line[0] == '[' {
		rd.unrealEnd(line)
		return
	}
	if !rd.cells(line) {
		return
	}
	text := rd.cell(h.time)
	if len(text) == len(h.names[h.time]) && bytes.EqualFold(text, []byte(h.names[h.time])) {
		return // the header again: files were concatenated
	}
	ms, kind := parse(text, h.unit, true, rd.scratch)
	if kind == garbage {
		rd.spoil(rd.in.number, fmt.Sprintf("frame time %s is not a number", quote(text)))
		return
	}
	b := rd.builderFor()
	if b == nil {
		return
	}
	if h.cumulative && kind == number {
		var first bool
		if ms, first = b.since(ms); first {
			return
		}
	}
	display, displayKind := parse(rd.cell(h.display), milliseconds, true, rd.scratch)
	if displayKind == number && display > 0 {
		b.displayed.push(float32(display), rd.in)
	}
	generated := rd.generated()
	if kind == empty || ms <= 0 {
		b.Skipped++
		if generated {
			b.madeUp++
		}
		return
	}
	if !rd.keep(b, ms, text) {
		return
	}
	if generated {
		b.Generated++
	}
	rd.dropped(b, displayKind == number)
	rd.columns(b)
}

// cells divides a line into the cells of a row. It reports whether the row is usable.
func (rd *reader) cells(line []byte) bool {
	h, width := rd.h, rd.width
	var err error
	if rd.fields, err = split(line, h.sep, rd.fields); err != nil {
		rd.spoil(rd.in.number, err.Error())
		return false
	}
	for len(rd.fields) > len(h.names) && len(bytes.TrimSpace(rd.fields[len(rd.fields)-1])) == 0 {
		rd.fields = rd.fields[:len(rd.fields)-1]
	}
	rd.width = len(rd.fields)
	switch {
	case len(rd.fields) > len(h.names) && !h.ragged:
		rd.spoil(rd.in.number, fmt.Sprintf("the row has %d cells, the header %d (decimal commas need another separator)",
			len(rd.fields), len(h.names)))
	case len(rd.fields) <= h.time:
		rd.spoil(rd.in.number, fmt.Sprintf("the row has %d cells, but the frame time is in cell %d", len(rd.fields), h.time+1))
	case rd.in.cut && width > len(rd.fields):
		rd.spoil(rd.in.number, "the file ends in the middle of a row")
	default:
		return true
	}
	return false
}

// cell returns a cell of the row; nil if the row does not have it.
func (rd *reader) cell(i int) []byte {
	if i < 0 || i >= len(rd.fields) {
		return nil
	}
	return rd.fields[i]
}

// generated reports whether the frame was not made by the application.
func (rd *reader) generated() bool {
	kind := string(bytes.TrimSpace(rd.cell(rd.h.kind)))
	return kind != "" && !slices.Contains(ownFrames, kind)
}

// dropped counts the frame if it was never shown. displayed says whether the row has the time at which it was shown.
func (rd *reader) dropped(b *builder, displayed bool) {
	h := rd.h
	switch {
	case h.dropped >= 0:
		b.showsDrop = true
		if flag, ok := integer(rd.cell(h.dropped)); ok && flag != 0 {
			b.Dropped++
		}
	case h.display >= 0:
		b.showsDrop = true
		if !displayed {
			b.Dropped++
		}
	}
}

// columns adds the other cells of the row.
func (rd *reader) columns(b *builder) {
	h := rd.h
	if h.start >= 0 {
		stamp, kind := parse(rd.cell(h.start), unit{}, true, rd.scratch)
		b.noStamp = b.noStamp || kind != number
		b.starts.push(stamp, rd.in)
	}
	if e, kind := parse(rd.cell(h.animation), milliseconds, true, rd.scratch); kind == number && e > -longest && e < longest {
		b.animation.push(e, rd.in)
	}
	if h.gpu >= 0 {
		b.gpu.push(rd.beside(rd.cell(h.gpu), 0), rd.in)
	}
	if b.latency[0].len() == enoughRows && mostHave(b.latency[0].last) {
		b.decided, b.latency[1] = true, column[float32]{}
	}
	for i, column := range h.latency {
		if column >= 0 && !(b.decided && i > 0) { // frames that were never shown have 0 or an empty cell
			b.latency[i].push(rd.beside(rd.cell(column), shortest), rd.in)
		}
	}
}

// enoughRows is the number of rows after which only the better latency column is kept, to save memory.
const enoughRows = piece / 4

// beside reads another cell of the row; -1 if it has no value.
func (rd *reader) beside(cell []byte, least float64) float32 {
	if v, kind := parse(cell, milliseconds, true, rd.scratch); kind == number && v >= least && v <= longest {
		return float32(v)
	}
	return -1
}

// since returns the time since the stamp of the previous row, rounded to the picosecond; first is true if there is none.
func (b *builder) since(stamp float64) (ms float64, first bool) {
	ms, first = math.Round((stamp-b.stamp)*1e9)/1e9, !b.begun
	b.stamp, b.begun = stamp, true
	return ms, first
}

// ownFrames are the frame types of frames that the application made.
var ownFrames = []string{"Application", "NotSet", "Repeated", "NA"}

// builderFor finds the capture a row belongs to.
func (rd *reader) builderFor() *builder {
	h := rd.h
	rd.key = rd.key[:0]
	keys := [...]int{h.app, h.run, h.pid, h.chain}
	named := keys[:]
	if rd.o.PoolByName && h.app >= 0 {
		named = keys[:2]
	}
	for _, i := range named {
		rd.key = append(append(rd.key, bytes.TrimSpace(rd.cell(i))...), 0)
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
		b = &builder{run: clean(rd.cell(h.run))}
		if h.run < 0 {
			b.run = fmt.Sprint(rd.runs)
		}
		b.File, b.Format, b.Column = rd.o.File, h.format, h.names[h.time]
		b.Process = clean(rd.cell(h.app))
		if len(named) == len(keys) {
			b.PID, _ = integer(rd.cell(h.pid))
			b.SwapChain = clean(rd.cell(h.chain))
		}
		rd.firstRow(b)
		rd.index[string(rd.key)] = b
		rd.builders = append(rd.builders, b)
	}
	rd.last, rd.lastKey = b, string(rd.key)
	return b
}

// firstRow reads the description of the machine, which OCAT writes only into the first row and FrameView into every row.
func (rd *reader) firstRow(b *builder) {
	if b.Format == FormatFrameView {
		for i, name := range rd.h.names {
			if slices.Contains([]string{"GPU", "CPU", "Resolution", "Runtime"}, name) {
				rd.tell(name, string(rd.cell(i)))
			}
		}
	}
	if b.Format != FormatOCAT {
		return
	}
	from := -1
	for i, name := range rd.h.names {
		if strings.EqualFold(name, "Motherboard") {
			from = i
		}
		if from >= 0 {
			rd.tell(name, string(rd.cell(i)))
		}
	}
}

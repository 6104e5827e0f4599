// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"strconv"

	"github.com/strobe-go/strobe/internal/plain"
)

// A cursor is what a viewer has been sent.
type cursor struct {
	number  uint64 // of the next frame
	paths   int
	renamed int
	plots   uint64
	texts   uint64
	reports uint64
	divided uint64
	lost    uint64
	machine *machine
	past    []stretch // to send with the next message
	fresh   bool      // a message was sent
	unit    uint64    // number of the latest unit that was sent
	heat    uint64    // number of the latest unit that was counted
	gone    uint64    // place of the next unit that is no longer kept
}

// news reports whether there is anything to send beside the machine's figures and units. l is nil for viewers of units.
func (m *model) news(c *cursor, l *loop) bool {
	return !c.fresh || l != nil && c.number < l.next || c.paths < len(m.paths.all) || c.renamed < m.renamed || c.lost < m.lost ||
		c.plots < m.plots.first+uint64(len(m.plots.items)) || c.texts < m.texts.first+uint64(len(m.texts.items)) ||
		c.reports < m.reports.all.first+uint64(len(m.reports.all.items)) || c.divided < m.divided.first+uint64(len(m.divided.items))
}

// appendFrames appends the data of a message with these frames, or the text about units, and everything else that is new, and
// advances the cursor except its number and what is about units.
func (m *model) appendFrames(b []byte, c *cursor, frames []*kept, units []byte, now *machine, backlog bool) []byte {
	field := func(name string, open bool) {
		b = append(b, ',', '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		if open {
			b = append(b, '[')
		}
	}
	number := func(x int64) { b = strconv.AppendInt(b, x, 10) }
	b = append(b, `{"at_ns":`...)
	number(int64(m.at))
	if c.renamed < m.renamed {
		field("lanes", true)
		for _, n := range m.names {
			if n.version > c.renamed {
				b = append(b, '[')
				number(int64(n.id))
				b = append(b, ',')
				b = appendText(b, n.name)
				b = append(b, ']', ',')
			}
		}
		b = end(b)
		c.renamed = m.renamed
	}
	if c.paths < len(m.paths.all) {
		field("paths", true)
		for i, p := range m.paths.all[c.paths:] {
			b = append(b, '[')
			number(int64(c.paths + i))
			b = append(b, ',')
			number(int64(p.lane))
			b = append(b, ',')
			number(int64(p.parent))
			b = append(b, ',')
			number(int64(p.zone))
			b = append(b, ']', ',')
		}
		b = end(b)
		c.paths = len(m.paths.all)
	}
	field("frames", true)
	for _, k := range frames {
		b = append(b, k.text...)
		b = append(b, ',')
	}
	b = end(b)
	b = append(b, units...)
	b = m.appendMarks(b, c)
	if now != nil && c.machine != nil {
		field("runtime", true)
		b = append(between(c.machine, now).appendText(b), ']')
	}
	if len(c.past) > 0 {
		field("history", true)
		for _, s := range c.past {
			b = append(b, '[')
			number(int64(s.from))
			b = append(b, ',')
			number(int64(s.to))
			b = append(b, ',')
			b = append(s.appendText(b), ']', ',')
		}
		b = end(b)
		c.past = nil
	}
	field("lost", false)
	b = strconv.AppendUint(b, m.lost-c.lost, 10)
	c.lost, c.machine, c.fresh = m.lost, now, true
	if backlog {
		b = append(b, `,"backlog":true`...)
	}
	return append(b, '}')
}

// appendMarks appends the new plot values, messages and reports.
func (m *model) appendMarks(b []byte, c *cursor) []byte {
	plots, next := m.plots.from(c.plots, 4096)
	if c.plots = next; len(plots) > 0 {
		b = append(b, `,"plots":[`...)
		for i := range plots {
			p := &plots[i]
			b = append(b, '[')
			b = appendText(b, p.name)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(p.at), 10)
			b = append(b, ',')
			b = strconv.AppendFloat(b, p.value, 'g', -1, 64)
			b = append(b, ']', ',')
		}
		b = end(b)
	}
	texts, next := m.texts.from(c.texts, 256)
	if c.texts = next; len(texts) > 0 {
		b = append(b, `,"messages":[`...)
		for i := range texts {
			s := &texts[i]
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.at), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(s.lane), 10)
			b = append(b, ',')
			b = appendText(b, s.text)
			b = append(b, ']', ',')
		}
		b = end(b)
	}
	reports, next := m.reports.all.from(c.reports, mostReports)
	if c.reports = next; len(reports) > 0 {
		b = append(b, `,"reports":[`...)
		for _, r := range reports {
			b = append(append(b, r.json...), ',')
		}
		b = end(b)
	}
	return b
}

// end ends a list, each item of which is followed by a comma.
func end(b []byte) []byte {
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, ']')
}

// appendText appends a JSON string.
func appendText(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return append(b, `""`...)
	}
	return plain.AppendJSON(b, text)
}

// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
)

// list is a plain list of numbers, one or several per line.
type list struct {
	unit    unit
	decided bool // a line with a comma was seen
	decimal bool // and its comma was the decimal sign
}

// newList reports whether a line consists of numbers only.
func newList(line []byte, o ReadOptions) (*list, bool) {
	l := &list{unit: milliseconds}
	if o.Unit != "" {
		l.unit, _ = unitNamed(o.Unit)
	}
	numbers := 0
	for token := range l.tokens(line) {
		if _, kind := parse(token, l.unit, l.decimal, nil); kind != number {
			return nil, false
		}
		numbers++
	}
	return &list{unit: l.unit}, numbers > 0
}

// tokens cuts a line at white space, semicolons and, unless they are decimal signs, commas.
func (l *list) tokens(line []byte) func(yield func([]byte) bool) {
	if !l.decided && bytes.IndexByte(line, ',') >= 0 {
		l.decided, l.decimal = true, decimalCommas(line)
	}
	return bytes.FieldsFuncSeq(line, func(r rune) bool {
		return r == ' ' || r == '\t' || r == ';' || r == ',' && !l.decimal
	})
}

// decimalCommas reports whether commas are decimal signs, as in "16,7" but not in "16.7,16.8": every token has at most one comma,
// between digits, and no point.
func decimalCommas(line []byte) bool {
	if bytes.IndexByte(line, '.') >= 0 {
		return false
	}
	for token := range bytes.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' }) {
		at := bytes.IndexByte(token, ',')
		if at == 0 || at == len(token)-1 || at >= 0 && bytes.IndexByte(token[at+1:], ',') >= 0 {
			return false
		}
	}
	return true
}

func (rd *reader) listLine(line []byte) {
	if line[0] == '#' {
		return
	}
	if len(rd.last.Column) > 0 && bytes.EqualFold(bytes.TrimSpace(line), []byte(rd.last.Column)) {
		return // the header again: files were concatenated
	}
	noted := rd.list.decided
	for token := range rd.list.tokens(line) {
		if token[0] == '"' {
			token = unquote(token)
		}
		ms, kind := parse(token, rd.list.unit, rd.list.decimal, rd.scratch)
		switch {
		case kind == garbage:
			rd.spoil(rd.in.number, fmt.Sprintf("%s is not a number", quote(token)))
			return
		case kind == empty || ms <= 0:
			rd.last.Skipped++
		case !rd.keep(rd.last, ms, token):
			if rd.full {
				return
			}
		}
	}
	if !noted && rd.list.decimal {
		rd.last.Notes = append(rd.last.Notes, "commas were read as decimal signs")
	}
}

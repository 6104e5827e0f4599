// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"fmt"
	"strings"
)

// A parser turns text into samples, one per line.
type parser struct {
	to     *Series
	column *column // nil: the line is the number
	begun  bool    // a number was seen
	suffix []byte  // what follows the number in most lines: a unit and a carriage return
}

// take reads whole lines. After an error nothing more can be read.
func (p *parser) take(text []byte) error {
	if p.to.Lines == 0 {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	if p.column != nil {
		for len(text) > 0 {
			i := bytes.IndexByte(text, '\n')
			p.to.Lines++
			if err := p.row(text[:i]); err != nil {
				return err
			}
			text = text[i+1:]
		}
		return nil
	}
	for len(text) > 0 {
		if text = p.fast(text); len(text) == 0 {
			return nil
		}
		if len(p.to.block) == blockSize {
			if err := p.to.flush(); err != nil {
				return err
			}
			continue
		}
		i := bytes.IndexByte(text, '\n')
		p.to.Lines++
		if err := p.slow(text[:i]); err != nil {
			return err
		}
		text = text[i+1:]
	}
	return nil
}

// point is '.' - '0' as a byte.
const point = 254

// fast reads lines of the common form, such as "-12.50", until one has another form or the block is full, and returns the rest.
func (p *parser) fast(text []byte) []byte {
	s := p.to
	if !p.begun {
		return text
	}
	block, digits, suffix := s.block, s.digits, p.suffix
	for len(text) > 0 && len(block) < blockSize {
		i, x := 0, int64(0)
		negative := text[0] == '-'
		if negative {
			i = 1
		}
		from := i
		c := text[i] - '0'
		for c <= 9 { // text ends in a newline
			x = 10*x + int64(c)
			i++
			c = text[i] - '0'
		}
		width := i - from
		missing := digits
		if c == point {
			i++
			from = i
			c = text[i] - '0'
			for c <= 9 {
				x = 10*x + int64(c)
				i++
				c = text[i] - '0'
			}
			width += i - from
			missing -= i - from
		}
		if width == 0 || width > 18 || missing < 0 || width+missing > 18 {
			break
		}
		if len(suffix) > 0 {
			if !bytes.HasPrefix(text[i:], suffix) {
				break
			}
			i += len(suffix)
		}
		if text[i] != '\n' {
			break
		}
		if missing > 0 {
			x *= tens[missing]
		}
		if negative {
			x = -x
		}
		block = append(block, x)
		text = text[i+1:]
	}
	p.to.Lines += uint64(len(block) - len(s.block))
	s.block = block
	return text
}

// slow reads any line.
func (p *parser) slow(line []byte) error {
	text := bytes.TrimSpace(line)
	if len(text) == 0 || text[0] == '#' {
		return nil
	}
	return p.number(text, line)
}

// row reads a line of a table.
func (p *parser) row(line []byte) error {
	c := p.column
	line = bytes.TrimRight(line, "\r")
	if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
		return nil
	}
	if c.separator == 0 {
		return c.find(line)
	}
	cell, ok := c.cell(line)
	switch text := strings.ToLower(string(cell)); {
	case !ok:
		p.damaged(line, fmt.Errorf("has no column %d", c.index+1))
		return nil
	case text == "" || text == "na" || text == "n/a" || text == "nan" || text == "null":
		p.to.Empty++
		p.to.gap()
		return nil
	}
	if c.separator != ',' && bytes.Count(cell, []byte(",")) == 1 && bytes.IndexByte(cell, '.') < 0 {
		cell = bytes.Replace(cell, []byte(","), []byte("."), 1) // a decimal comma
	}
	return p.number(cell, cell)
}

// number reads text as a number. line is the text with the white space around it.
func (p *parser) number(text, line []byte) error {
	n, rest, rounded, err := parseNumber(text)
	unit := ""
	if err == nil {
		if unit, err = unitOf(rest); err != nil {
			if d, ok := durationOf(text); ok {
				n, unit, rounded, err = d, "s", false, nil
			}
		}
	}
	if err == nil && p.begun {
		err = n.convert(unit, p.to.Unit)
	}
	if err == nil {
		err = p.to.add(n)
	}
	if err != nil {
		if err == ErrTooMany {
			return err
		}
		p.damaged(text, err)
		return nil
	}
	p.to.Rounded = p.to.Rounded || rounded
	if !p.begun {
		p.begun, p.to.Unit = true, unit
	}
	if unit == p.to.Unit && len(rest) <= 20 {
		at := cap(line) - cap(rest)
		p.suffix = append(p.suffix[:0], line[at:]...)
	}
	return nil
}

func (p *parser) damaged(text []byte, err error) {
	p.to.gap()
	s := p.to
	if s.Damaged++; s.Damaged == 1 {
		if len(text) > 40 {
			text = append(bytes.ToValidUTF8(text[:40], nil), "..."...)
		}
		s.First = Damage{s.Lines, string(text), err}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A column is a column of a table with a header.
type column struct {
	name      string // as requested: a name, or a number from 1
	separator byte   // 0 until the header is found
	index     int
	header    string // the first line that could have been the header
	searched  int    // number of lines in which the name was not found
}

// headerLines is how many lines may come before the header.
const headerLines = 100

// find looks for the column in a line that may be the header.
func (c *column) find(line []byte) error {
	separator := byte(',')
	for _, b := range []byte{';', '\t'} {
		if bytes.Count(line, []byte{b}) > bytes.Count(line, []byte{separator}) {
			separator = b
		}
	}
	at := column{separator: separator}
	var names []string
	for {
		cell, ok := at.cell(line)
		if !ok {
			break
		}
		names = append(names, string(cell))
		at.index++
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i, name := range names {
			if same(name, c.name) {
				c.separator, c.index = separator, i
				return nil
			}
		}
	}
	if n, err := strconv.Atoi(c.name); err == nil && n >= 1 && n <= len(names) && len(names) > 1 {
		c.separator, c.index = separator, n-1
		return nil
	}
	if c.header == "" || len(names) > 1 && !strings.Contains(c.header, ", ") {
		c.header = strings.Join(names, ", ")
	}
	if c.searched++; c.searched == headerLines {
		return c.missing()
	}
	return nil
}

func (c *column) missing() error {
	header := c.header
	if len(header) > 300 {
		header = header[:300] + "..."
	}
	return fmt.Errorf("no column %q; the columns are: %s", c.name, header)
}

// cell returns the cell of the column, without quotes and the white space around it.
func (c *column) cell(line []byte) (cell []byte, ok bool) {
	for i := 0; ; i++ {
		end, quoted := 0, false
		for end < len(line) && (line[end] != c.separator || quoted) {
			if line[end] == '"' {
				quoted = !quoted
			}
			end++
		}
		if i == c.index {
			cell = bytes.TrimSpace(line[:end])
			if n := len(cell); n >= 2 && cell[0] == '"' && cell[n-1] == '"' {
				cell = bytes.TrimSpace(cell[1 : n-1])
			}
			return cell, true
		}
		if end == len(line) {
			return nil, false
		}
		line = line[end+1:]
	}
}

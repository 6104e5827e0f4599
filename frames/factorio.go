// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"strings"
)

// factorioRow reports whether a line after the header of Factorio's verbose dump is a tick. Console output surrounds the dump,
// and every run of a benchmark writes its own header.
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

// factorioSays finds the version in Factorio's console output.
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

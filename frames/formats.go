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

// unrealEnd reads the last row that Unreal's CSV profiler writes: keys in brackets, each with its value in the next cell.
// Source: Engine/Source/Runtime/Core/Private/ProfilingDebugging/CsvProfiler.cpp, of Unreal Engine, which writes the header once
// more when columns were added, and then this row. The names of the columns are also those of a capture of Unreal Engine 5, whose
// header has hundreds of columns and FrameTime among the last. InputLatencyTime is from sampling the input to showing the frame,
// in ms.
func (rd *reader) unrealEnd(line []byte) {
	cells, err := split(line, rd.h.sep, nil)
	if err != nil {
		return // a command line may contain any quotes, and the frames are complete
	}
	for i := 0; i+1 < len(cells); i += 2 {
		key := strings.Trim(clean(cells[i]), "[]")
		if !strings.EqualFold(key, "HasHeaderRowAtEnd") {
			rd.tell(key, string(cells[i+1]))
		}
	}
}

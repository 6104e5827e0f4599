// SPDX-License-Identifier: BSD-3-Clause

package frames

import "strings"

// unrealEnd reads the last row that Unreal's CSV profiler writes: keys in
// brackets, each with its value in the next cell.
// Source: Engine/Source/Runtime/Core/Private/ProfilingDebugging/CsvProfiler.cpp,
// of Unreal Engine, which writes the header once more when columns were added,
// and then this row.
func (rd *reader) unrealEnd(line []byte) {
	cells, err := split(line, rd.h.sep, nil)
	if err != nil {
		return // a command line may hold any quote, and the frames are complete
	}
	for i := 0; i+1 < len(cells); i += 2 {
		key := strings.Trim(clean(cells[i]), "[]")
		if !strings.EqualFold(key, "HasHeaderRowAtEnd") {
			rd.tell(key, string(cells[i+1]))
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package frames

import "strings"

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

// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// WriteFolded writes the call trees of s as folded stacks, the text that flame graph programs read: a line for each path
// with self time, such as "lane;zone;zone 1234", with the self time in nanoseconds; zones of a shared lane, whose self time is
// unknown, have no line. White space at either end of a name, semicolons and characters that would control a terminal become "_".
// Calls are not included. WriteProfile describes the samples. The only error is
// that of w.
func WriteFolded(w io.Writer, s profile.Snapshot) error {
	out := bufio.NewWriterSize(w, 1<<16) // it keeps the first error until Flush
	frames := make(map[string]string)
	frame := func(name string) string {
		f, ok := frames[name]
		if !ok {
			f = folded(name)
			frames[name] = f
		}
		return f
	}
	eachSample(s, func(lane string, stack []int, _ uint64, self time.Duration) {
		if self <= 0 {
			return
		}
		out.WriteString(frame(lane))
		for _, zone := range slices.Backward(stack) {
			out.WriteByte(';')
			out.WriteString(frame(zoneAt(s.Zones, zone).Name))
		}
		out.WriteByte(' ')
		out.Write(strconv.AppendInt(out.AvailableBuffer(), int64(self), 10))
		out.WriteByte('\n')
	})
	return out.Flush()
}

// folded returns name as a frame of a folded stack, in which semicolons, line ends and outer spaces mean something else.
func folded(name string) string {
	inner := strings.TrimSpace(name)
	if inner != name || name == "" {
		name = "_" + inner
	}
	return strings.Map(func(r rune) rune {
		if r == ';' || !plain.Is(r) {
			return '_'
		}
		return r
	}, valid(name))
}

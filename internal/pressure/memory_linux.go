// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// unlimited is where limits begin that are none: without one, version 1 has the largest number of pages.
const unlimited = 1 << 60

// ReadMemory reads the memory of the control groups. ok is false if the kernel does not tell.
func ReadMemory() (m Memory, ok bool) { return readMemory(os.DirFS("/")) }

func readMemory(root fs.FS) (m Memory, ok bool) {
	number := func(dir, file, key string) (n int64, ok bool) {
		text, err := fs.ReadFile(root, path.Join(dir, file))
		if err != nil {
			return 0, false
		}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if key == "" {
				name, value = "", name
			}
			if name == key {
				n, err := strconv.ParseInt(value, 10, 64)
				return n, err == nil // "max" is no number
			}
		}
		return 0, false
	}
	for _, dir := range groupsOf(root, "memory") {
		killed, told := number(dir, "memory.events", "oom_kill")
		reached, _ := number(dir, "memory.events", "oom")
		bytes, limited := number(dir, "memory.max", "")
		if !told { // version 1
			killed, told = number(dir, "memory.oom_control", "oom_kill")
			reached, _ = number(dir, "memory.failcnt", "")
			bytes, limited = number(dir, "memory.limit_in_bytes", "")
		}
		if told && !ok {
			m.Killed, ok = killed, true
		}
		if told && limited && bytes < unlimited {
			m.Limits = append(m.Limits, Limit{"/" + dir, bytes, reached})
		}
	}
	return m, ok
}

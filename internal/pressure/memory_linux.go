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
	number := func(dir, file, key string) (n int64, ok bool) { return readNumber(root, path.Join(dir, file), key) }
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

// nearly is the share of a limit from which it is in the way.
const nearly = 0.95

// NearLimit returns the limit of memory of the innermost control group that uses nearly all of it, in bytes, and the file that sets it: a
// process that reaches memory.high waits, and one that reaches memory.max or memory.limit_in_bytes may. ok is false if there is none,
// or the kernel does not tell.
func NearLimit() (bytes int64, file string, ok bool) { return nearLimit(os.DirFS("/")) }

func nearLimit(root fs.FS) (bytes int64, file string, ok bool) {
	for _, dir := range groupsOf(root, "memory") {
		for _, f := range [...]struct{ used, limit string }{{"memory.current", "memory.high"}, {"memory.current", "memory.max"}, {"memory.usage_in_bytes", "memory.limit_in_bytes"}} {
			used, told := readNumber(root, path.Join(dir, f.used), "")
			most, limited := readNumber(root, path.Join(dir, f.limit), "")
			if told && limited && most < unlimited && float64(used) >= nearly*float64(most) {
				return most, f.limit, true
			}
		}
	}
	return 0, "", false
}

// readNumber reads the number after a key, or the only one of a file.
func readNumber(root fs.FS, file, key string) (n int64, ok bool) {
	text, err := fs.ReadFile(root, file)
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

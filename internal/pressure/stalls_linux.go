// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"bytes"
	"io/fs"
	"os"
	"path"
)

// openStalls opens the kernel's pressure stall information about memory; nil if there is none.
func openStalls() *os.File {
	name := findStalls(os.DirFS("/"))
	if name == "" {
		return nil
	}
	f, err := os.Open("/" + name)
	if err != nil {
		return nil
	}
	return f
}

// findStalls returns the file of the innermost control group of this process that has one, which is of version 2, or else that of the
// machine; "" if neither can be read, as without CONFIG_PSI or with psi=0.
func findStalls(root fs.FS) string {
	var files []string
	for _, dir := range groupsOf(root, "memory") {
		files = append(files, path.Join(dir, "memory.pressure"))
	}
	for _, name := range append(files, "proc/pressure/memory") {
		if text, err := fs.ReadFile(root, name); err == nil {
			if _, ok := parseStall(text); ok {
				return name
			}
		}
	}
	return ""
}

// parseStall reads the line "some avg10=0.00 avg60=0.00 avg300=0.00 total=123", in microseconds, and returns the total in nanoseconds.
func parseStall(text []byte) (t int64, ok bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, found := bytes.CutPrefix(line, []byte("some "))
	_, total, is := bytes.Cut(line, []byte("total="))
	n, _, ok := number(total)
	return 1000 * min(n, 1<<50), found && is && ok
}

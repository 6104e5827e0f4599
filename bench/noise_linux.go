// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

func switchesOS() switches {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u)
	return switches{uint64(u.Nvcsw), uint64(u.Nivcsw), err == nil}
}

func stealOS() ticks {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return ticks{}
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return parseSteal(string(line))
}

// parseSteal parses the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal guest guest_nice. The
// last two are included in the first two.
func parseSteal(line string) (t ticks) {
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return ticks{}
	}
	for _, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return ticks{}
		}
		t.all += n
		t.stolen = n // the eighth is the last
	}
	t.ok = true
	return t
}

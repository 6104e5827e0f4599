// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// A group is a control group that this process is in, or one around it.
type group struct {
	dir  string
	stat *os.File
}

// mostGroups is how many levels are read, from the innermost outwards. Groups without a quota outside the innermost one do not count.
const mostGroups = 4

func openGroups() (list []group) {
	for _, name := range findGroups(os.DirFS("/")) {
		if f, err := os.Open("/" + name); err == nil {
			list = append(list, group{path.Dir(name), f})
		}
	}
	return list
}

// findGroups returns the files that tell how often and for how long the quotas were used up.
func findGroups(root fs.FS) (list []string) {
	for _, dir := range groupsOf(root, "cpu") {
		stat, _ := fs.ReadFile(root, path.Join(dir, "cpu.stat"))
		_, limited := quota(root, dir)
		if _, ok := parseThrottle(stat); ok && (len(list) == 0 || limited) && len(list) < mostGroups {
			list = append(list, path.Join(dir, "cpu.stat"))
		}
	}
	return list
}

// groupsOf returns the folders of the control groups that this process is in and a controller may belong to, the innermost ones first.
func groupsOf(root fs.FS, controller string) (dirs []string) {
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	mounts, _ := fs.ReadFile(root, "proc/self/mountinfo")
	for line := range strings.Lines(string(groups)) { // number:controllers:path
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			continue
		}
		kind, option := "cgroup", controller
		switch {
		case parts[1] == "":
			kind, option = "cgroup2", ""
		case !listed(parts[1], controller):
			continue
		}
		at, within, ok := mounted(string(mounts), kind, option)
		if !ok {
			continue
		}
		// Seen from inside a container, the path may be relative to what is mounted, or outside.
		below, inside := strings.CutPrefix(parts[2], strings.TrimSuffix(within, "/"))
		if !inside || strings.Contains(below, "..") {
			below = "/"
		}
		at = strings.TrimPrefix(at, "/")
		for dir := path.Join(at, below); ; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
			if len(dir) <= len(at) {
				break
			}
		}
	}
	return dirs
}

// mounted returns where a hierarchy of groups is mounted, and which of its directories is there.
func mounted(mounts, kind, option string) (at, within string, ok bool) {
	for line := range strings.Lines(mounts) { // number parent device root point options [tags] - type source options
		before, after, is := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if is && len(left) >= 5 && len(right) >= 3 && right[0] == kind && (option == "" || listed(right[2], option)) {
			return left[4], left[3], true
		}
	}
	return "", "", false
}

func listed(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// quota returns how many processors a group may use on average. ok is false if it has no quota.
func quota(root fs.FS, dir string) (processors float64, ok bool) {
	read := func(name string) string {
		text, _ := fs.ReadFile(root, path.Join(dir, name))
		return strings.TrimSpace(string(text))
	}
	took, period, both := strings.Cut(read("cpu.max"), " ")
	if !both {
		took, period = read("cpu.cfs_quota_us"), read("cpu.cfs_period_us")
	}
	part, err1 := strconv.ParseUint(took, 10, 63) // "max" and -1 are no numbers
	whole, err2 := strconv.ParseUint(period, 10, 63)
	if err1 != nil || err2 != nil || whole == 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// smallest returns the smallest quota of the groups.
func smallest(root fs.FS, groups []group) (processors float64, ok bool) {
	for _, g := range groups {
		if q, is := quota(root, g.dir); is && (!ok || q < processors) {
			processors, ok = q, true
		}
	}
	return processors, ok
}

// throttle is what cpu.stat says of a quota.
type throttle struct{ took, periods int64 } // in ns

// parseThrottle reads cpu.stat of either version. ok is false if it says nothing of a quota.
func parseThrottle(text []byte) (t throttle, ok bool) {
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		name, value, _ := bytes.Cut(line, []byte(" "))
		n, _, is := number(value)
		if !is {
			continue
		}
		switch string(name) {
		case "nr_throttled":
			t.periods, ok = n, true
		case "throttled_usec":
			t.took = 1000 * min(n, 1<<50)
		case "throttled_time":
			t.took = n
		}
	}
	return t, ok
}

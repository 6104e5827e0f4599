// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"reflect"
	"testing"
	"testing/fstest"
)

// Where control groups of version 2 are mounted, and the controller of memory of version 1.
const (
	two = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	one = "31 23 0:27 / /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,memory\n"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestMemoryOfControlGroupsIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  Memory
		ok    bool
	}{
		"version 2": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "proc/self/mountinfo": file(two),
			"sys/fs/cgroup/a/b/memory.events": file("low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
			"sys/fs/cgroup/a/memory.events": file("low 0\nhigh 0\nmax 9\noom 4\noom_kill 5\n"), "sys/fs/cgroup/a/memory.max": file("1048576\n"),
		}, Memory{2, []Limit{{"/sys/fs/cgroup/a", 1 << 20, 4}}}, true},
		"version 1": {fstest.MapFS{
			"proc/self/cgroup": file("3:cpu:/\n4:memory:/a\n0::/\n"), "proc/self/mountinfo": file(one),
			"sys/fs/cgroup/memory/a/memory.oom_control": file("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
			"sys/fs/cgroup/memory/a/memory.failcnt":     file("12\n"), "sys/fs/cgroup/memory/a/memory.limit_in_bytes": file("4096\n"),
			"sys/fs/cgroup/memory/memory.oom_control": file("oom_kill_disable 0\nunder_oom 0\noom_kill 8\n"),
			"sys/fs/cgroup/memory/memory.failcnt":     file("0\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, Memory{1, []Limit{{"/sys/fs/cgroup/memory/a", 4096, 12}}}, true},
		"without memory": {fstest.MapFS{"proc/self/cgroup": file("0::/a\n"), "proc/self/mountinfo": file(two)}, Memory{}, false},
		"nothing":        {fstest.MapFS{}, Memory{}, false},
	} {
		if got, ok := readMemory(c.files); !reflect.DeepEqual(got, c.want) || ok != c.ok {
			t.Errorf("%s: %+v, %v, want %+v", name, got, ok, c.want)
		}
	}
}

func TestTheLimitThatWasReachedIsTold(t *testing.T) {
	before := Memory{1, []Limit{{"/a/b", 100, 5}, {"/a", 200, 6}}}
	for _, c := range []struct {
		now    Memory
		killed bool
		limit  Limit
	}{
		{Memory{1, []Limit{{"/a/b", 100, 9}, {"/a", 200, 6}}}, false, Limit{}}, // something was reclaimed
		{Memory{2, []Limit{{"/a/b", 100, 5}, {"/a", 200, 7}}}, true, Limit{"/a", 200, 7}},
		{Memory{2, []Limit{{"/a/b", 100, 6}, {"/a", 200, 7}}}, true, Limit{"/a/b", 100, 6}},
		{Memory{2, before.Limits}, true, Limit{}},
		{Memory{2, []Limit{{"/c", 100, 9}}}, true, Limit{}}, // moved to another group
	} {
		if killed, limit := c.now.Since(before); killed != c.killed || limit != c.limit {
			t.Errorf("%+v: %v, %+v", c.now, killed, limit)
		}
	}
}

func TestALimitThatIsNearIsFound(t *testing.T) {
	group := func(version, name string, files ...string) fstest.MapFS {
		all := fstest.MapFS{"proc/self/mountinfo": file(one), "proc/self/cgroup": file("4:memory:" + name + "\n")}
		if version == "2" {
			all["proc/self/mountinfo"], all["proc/self/cgroup"] = file(two), file("0::"+name+"\n")
		}
		for i := 0; i < len(files); i += 2 {
			all["sys/fs/cgroup/"+files[i]] = file(files[i+1] + "\n")
		}
		return all
	}
	for name, c := range map[string]struct {
		files fstest.MapFS
		bytes int64
		file  string
	}{
		"beyond high":      {group("2", "/a", "a/memory.current", "1001", "a/memory.high", "1000", "a/memory.max", "2000"), 1000, "memory.high"},
		"nearly max":       {group("2", "/a", "a/memory.current", "1950", "a/memory.high", "max", "a/memory.max", "2000"), 2000, "memory.max"},
		"the one around":   {group("2", "/a/b", "a/b/memory.current", "90", "a/b/memory.max", "max", "a/memory.current", "99", "a/memory.max", "100"), 100, "memory.max"},
		"version 1":        {group("1", "/a", "memory/a/memory.usage_in_bytes", "100", "memory/a/memory.limit_in_bytes", "100"), 100, "memory.limit_in_bytes"},
		"room":             {group("2", "/a", "a/memory.current", "900", "a/memory.high", "1000", "a/memory.max", "2000"), 0, ""},
		"no limit":         {group("2", "/a", "a/memory.current", "900", "a/memory.high", "max", "a/memory.max", "max"), 0, ""},
		"no limit, 1":      {group("1", "/a", "memory/a/memory.usage_in_bytes", "100", "memory/a/memory.limit_in_bytes", "9223372036854771712"), 0, ""},
		"not told":         {group("2", "/a", "a/memory.high", "1000"), 0, ""},
		"no control group": {fstest.MapFS{}, 0, ""},
	} {
		bytes, f, ok := nearLimit(c.files)
		if bytes != c.bytes || f != c.file || ok != (c.file != "") {
			t.Errorf("%s: %d, %q, %v", name, bytes, f, ok)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Confine moves this process to a control group of its own that may have so many bytes of memory, until t ends, and returns the folder
// of the group. Processes that it starts meanwhile are there, too. It skips t where no such group can be made.
func Confine(t testing.TB, bytes int64) (group string) {
	t.Helper()
	home, limit, err := memoryGroup()
	if err == nil {
		group, err = os.MkdirTemp(home, "strobe-confined-")
	}
	if err != nil {
		t.Skip("no control group with a limit of memory can be made here: ", err)
	}
	set := func(dir, file, value string) error {
		return os.WriteFile(filepath.Join(dir, file), []byte(value), 0)
	}
	self := fmt.Sprint(os.Getpid())
	t.Cleanup(func() {
		if err := errors.Join(set(home, "cgroup.procs", self), os.Remove(group)); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(set(group, limit, fmt.Sprint(bytes)), set(group, "cgroup.procs", self)); err != nil {
		t.Skip("no control group with a limit of memory can be made here: ", err)
	}
	return group
}

// memoryGroup returns the folder of the control group that this process has its memory in, and the file that has the limit of one.
func memoryGroup() (dir, limit string, err error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", "", err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && parts[1] == "memory" {
			return filepath.Join("/sys/fs/cgroup/memory", parts[2]), "memory.limit_in_bytes", nil
		}
		if len(parts) == 3 && parts[1] == "" {
			dir, limit = filepath.Join("/sys/fs/cgroup", parts[2]), "memory.max"
		}
	}
	if control, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control")); dir == "" || !strings.Contains(string(control), "memory") {
		return "", "", errors.New("the control group of this process passes no limit of memory on to others")
	}
	return dir, limit, nil
}

// SPDX-License-Identifier: BSD-3-Clause

package worktree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// Folders made by Scratch begin with scratchPrefix, and have a file that names their process.
const (
	scratchPrefix = "strobe-gate-"
	scratchOwner  = "process"
)

// Scratch makes a temporary folder that Sweep removes if this process cannot.
func Scratch() (string, error) {
	dir, err := os.MkdirTemp("", scratchPrefix)
	if err == nil {
		if err = os.WriteFile(filepath.Join(dir, scratchOwner), []byte(owner(os.Getpid())), 0o666); err != nil {
			os.RemoveAll(dir)
		}
	}
	if err != nil {
		return "", fmt.Errorf("there is no place for a work folder: %w; TMPDIR names another place", err)
	}
	return dir, nil
}

// owner returns what identifies a process on this machine. In another container, the same number is another process.
func owner(pid int) string {
	namespace, _ := os.Readlink("/proc/self/ns/pid") // empty on other systems
	return strconv.Itoa(pid) + " " + namespace
}

// Sweep removes the folders of processes that were killed.
func Sweep() {
	all, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range all {
		text, err := os.ReadFile(filepath.Join(dir, scratchOwner))
		if err != nil {
			continue
		}
		number, _, _ := strings.Cut(string(text), " ")
		if pid, err := strconv.Atoi(number); err == nil && string(text) == owner(pid) && !runs(pid) {
			_ = os.RemoveAll(dir)
		}
	}
}

// runs reports whether there is a process with this number, perhaps by now another one.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" { // which has opened it
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

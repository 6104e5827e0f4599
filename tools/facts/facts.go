// SPDX-License-Identifier: BSD-3-Clause

// Package facts describes the machine and the state of the tree, for pages of measurements. What cannot be determined is "".
package facts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Date returns the day, by UTC.
func Date() string { return time.Now().UTC().Format("2006-01-02") }

// Commit names the state of the tree; it is "" outside a git checkout.
func Commit() string {
	hash, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(hash))
	if changed, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err != nil || len(changed) > 0 {
		text += ", with changes"
	}
	return text
}

// Processor returns the model of the processor.
func Processor() string {
	cpuinfo := Read("/proc/cpuinfo")
	m := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindStringSubmatch(cpuinfo)
	if m == nil {
		return ""
	}
	if strings.Contains(cpuinfo, " hypervisor") {
		return m[1] + ", virtual machine"
	}
	return m[1]
}

// Processors returns how many there are, and GOMAXPROCS.
func Processors() string {
	return fmt.Sprintf("%d, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0))
}

// System returns the operating system with its version.
func System() string {
	return strings.TrimSpace(runtime.GOOS + "/" + runtime.GOARCH + " " + Read("/proc/sys/kernel/osrelease"))
}

// Load returns the load of the machine in the latest minute.
func Load() string {
	load, _, _ := strings.Cut(Read("/proc/loadavg"), " ")
	return load
}

// Nice returns the niceness of this process: the smaller, the more of a busy machine it gets.
func Nice() string {
	_, fields, _ := strings.Cut(Read("/proc/self/stat"), ") ") // from the third on
	if f := strings.Fields(fields); len(f) > 16 {
		return f[16]
	}
	return ""
}

// Read returns the text of a file, without spaces around it.
func Read(path string) string {
	text, _ := os.ReadFile(path) // absent on other systems
	return string(bytes.TrimSpace(text))
}

// SPDX-License-Identifier: BSD-3-Clause

// Package host describes the machine that strobe runs on.
package host

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A Machine is what is known of one. Unknown properties are absent.
type Machine struct {
	Strobe      string   `json:"strobe"`                   // version of strobe
	Go          string   `json:"go"`                       // version of Go
	OS          string   `json:"os"`                       // GOOS
	Arch        string   `json:"arch"`                     // GOARCH
	CPUs        int      `json:"cpus"`                     // processors that this process may use
	Processor   string   `json:"processor,omitempty"`      // its model
	Kernel      string   `json:"kernel,omitempty"`         // release of the kernel
	Clocksource string   `json:"clocksource,omitempty"`    // clock that the kernel uses
	Hypervisor  string   `json:"hypervisor,omitempty"`     // of a virtual machine
	Load        *float64 `json:"load,omitempty"`           // mean number of processes that ran or waited to run, over the last minute
	Slack       *int64   `json:"timer_slack_ns,omitempty"` // by how much the kernel may delay a timer of this thread
}

// Describe reads the files with which Linux describes the machine, below root, which is "/" in a running system. Other
// systems are asked instead if that is the root. version is that of strobe.
func Describe(root, version string) Machine {
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(root, name))
		return strings.TrimSpace(string(text))
	}
	m := Machine{Strobe: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Kernel: read("proc/sys/kernel/osrelease"), Clocksource: read("sys/devices/system/clocksource/clocksource0/current_clocksource")}
	virtual := false
	for line := range strings.Lines(read("proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); {
		case m.Processor == "" && (key == "model name" || key == "Model" || key == "cpu model"):
			m.Processor = value
		case key == "flags":
			virtual = virtual || strings.Contains(" "+value+" ", " hypervisor ")
		}
	}
	m.Hypervisor = read("sys/hypervisor/type")
	if m.Hypervisor == "" && virtual {
		m.Hypervisor = strings.TrimSpace(read("sys/class/dmi/id/sys_vendor") + " " + read("sys/class/dmi/id/product_name"))
		if m.Hypervisor == "" {
			m.Hypervisor = "present, name unknown"
		}
	}
	first, _, _ := strings.Cut(read("proc/loadavg"), " ")
	if load, err := strconv.ParseFloat(first, 64); err == nil {
		m.Load = &load
	}
	if slack, err := strconv.ParseInt(read("proc/self/timerslack_ns"), 10, 64); err == nil {
		m.Slack = &slack
	}
	if root == "/" {
		m.ask()
	}
	return m
}

// Stamp returns what a machine has to have in common with another one if costs on both are to be compared, as a line of text. Two
// machines may have the same.
func (m *Machine) Stamp() string {
	name, _ := os.Hostname()
	return fmt.Sprintf("%s, %s/%s, %d processors, %s, kernel %s, %s", name, m.OS, m.Arch, m.CPUs, m.Processor, m.Kernel, m.Hypervisor)
}

// Cache returns the folder for what strobe keeps under a name: in the folder that STROBE_CACHE names, or else in the user's cache.
func Cache(name string) (string, error) {
	if dir := os.Getenv("STROBE_CACHE"); dir != "" {
		return filepath.Join(dir, name), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w; set STROBE_CACHE to one", err)
	}
	return filepath.Join(dir, "strobe", name), nil
}

// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A probeMachine describes the machine. What the system does not tell is absent.
type probeMachine struct {
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

// describeMachine reads the files below root, "/" in a running system, in which Linux describes the machine. Other systems have
// no such files.
func describeMachine(root string) probeMachine {
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(root, name))
		return strings.TrimSpace(string(text))
	}
	m := probeMachine{Strobe: session.Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
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
	return m
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/tools/peers/report"
)

// machine describes the machine on which the figures were measured. What cannot be determined is left out.
func machine() ([]report.Fact, error) {
	var facts []report.Fact
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	add("date", time.Now().UTC().Format("2006-01-02"))
	add("commit", commit())
	cpuinfo := read("/proc/cpuinfo")
	if m := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindStringSubmatch(cpuinfo); m != nil {
		model := m[1]
		if strings.Contains(cpuinfo, " hypervisor") {
			model += ", virtual machine"
		}
		add("processor", model)
	}
	add("processors", fmt.Sprintf("%d, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	add("system", runtime.GOOS+"/"+runtime.GOARCH+" "+read("/proc/sys/kernel/osrelease"))
	add("clock source of the system", read("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
	info := clock.Describe()
	source := info.Source
	if info.Reason != "" {
		source += ", " + info.Reason
	}
	add("clock source of strobe", source)
	add("Go", runtime.Version())
	peers, err := modules()
	if err != nil {
		return nil, err
	}
	add("peers", peers)
	if version, err := exec.Command("hyperfine", "--version").Output(); err == nil { // for table Verdicts, which has no rows of hyperfine without it
		add("beside them", string(version))
	}
	if fields := strings.Fields(read("/proc/loadavg")); len(fields) > 0 {
		add("load when it began", fields[0])
	}
	return facts, nil
}

// commit names the state of the tree; it is "" outside a git checkout.
func commit() string {
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

func read(path string) string {
	text, _ := os.ReadFile(path) // absent on other systems
	return string(bytes.TrimSpace(text))
}

// modules lists the peers that go.mod requires, with their versions.
func modules() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not (or .Main .Indirect .Replace)}}{{.Path}} {{.Version}}{{end}}", "all").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "golang.org/x/") {
			names = append(names, line)
		}
	}
	return strings.Join(names, ", "), nil
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/tools/facts"
	"github.com/strobe-go/strobe/tools/peers/report"
)

// machine describes the machine on which the figures were measured. What cannot be determined is left out.
func machine() ([]report.Fact, error) {
	var all []report.Fact
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			all = append(all, report.Fact{Name: name, Value: value})
		}
	}
	add("date", facts.Date())
	add("commit", facts.Commit())
	add("processor", facts.Processor())
	add("processors", facts.Processors())
	add("system", facts.System())
	add("clock source of the system", facts.Read("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
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
	add("load when it began", facts.Load())
	return all, nil
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

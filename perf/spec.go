// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// The kernel's types of events.
const (
	kindHardware = 0
	kindSoftware = 1
	kindCache    = 3
	kindRaw      = 4
)

// A spec is an event in the kernel's terms.
type spec struct {
	kind                     uint32
	config, config1, config2 uint64

	user, kernel bool // ":u", ":k"; neither means both
	unit         string
	scale        float64 // 0 means 1
}

// hard reports whether the event needs one of the processor's counters.
func (s spec) hard() bool { return s.kind != kindSoftware }

// generic reports whether each processor's driver maps the event to one of the processor's events.
func (s spec) generic() bool { return s.kind == kindHardware || s.kind == kindCache }

// inKernel reports whether the event happens in the kernel only, so that counted in user mode it would be 0.
func (s spec) inKernel() bool {
	return s.kind == kindSoftware && (s.config == softSwitches || s.config == softMigrations || s.config == softCgroup)
}

// A named is one name of an event.
type named struct {
	name string
	id   uint64
}

var hardNames = [...]named{
	{"cycles", 0}, {"cpu-cycles", 0}, {"instructions", 1}, {"cache-references", 2}, {"cache-misses", 3},
	{"branches", 4}, {"branch-instructions", 4}, {"branch-misses", 5}, {"bus-cycles", 6},
	{"stalled-cycles-frontend", 7}, {"idle-cycles-frontend", 7}, {"stalled-cycles-backend", 8}, {"idle-cycles-backend", 8},
	{"ref-cycles", 9},
}

// The software events that need special treatment.
const (
	softCPUClock   = 0
	softTaskClock  = 1
	softFaults     = 2
	softSwitches   = 3
	softMigrations = 4
	softMinor      = 5
	softMajor      = 6
	softCgroup     = 11
)

var softNames = [...]named{
	{"cpu-clock", softCPUClock}, {"task-clock", softTaskClock}, {"page-faults", softFaults}, {"faults", softFaults},
	{"context-switches", softSwitches}, {"cs", softSwitches}, {"cpu-migrations", softMigrations}, {"migrations", softMigrations},
	{"minor-faults", softMinor}, {"major-faults", softMajor}, {"alignment-faults", 7}, {"emulation-faults", 8},
	{"dummy", 9}, {"cgroup-switches", softCgroup},
}

// The names of hardware cache events are made of a cache, an operation and a result: "L1-dcache-load-misses".
var (
	cacheNames = [...]named{
		{"l1-dcache", 0}, {"l1-d", 0}, {"l1d", 0}, {"l1-data", 0}, {"l1-icache", 1}, {"l1-i", 1}, {"l1i", 1}, {"l1-instruction", 1},
		{"llc", 2}, {"l2", 2}, {"dtlb", 3}, {"d-tlb", 3}, {"data-tlb", 3}, {"itlb", 4}, {"i-tlb", 4}, {"instruction-tlb", 4},
		{"branch", 5}, {"bpu", 5}, {"btb", 5}, {"bpc", 5}, {"node", 6},
	}
	cacheOps     = [...]named{{"load", 0}, {"read", 0}, {"store", 1}, {"write", 1}, {"prefetch", 2}, {"speculative-read", 2}}
	cacheResults = [...]named{{"", 0}, {"refs", 0}, {"references", 0}, {"ops", 0}, {"access", 0}, {"misses", 1}, {"miss", 1}}
)

func lookup(names []named, name string) (uint64, bool) {
	for _, n := range names {
		if n.name == name {
			return n.id, true
		}
	}
	return 0, false
}

// parse parses an event's name. devices is /sys/bus/event_source/devices, for the form pmu/event/. The text of the error is
// a reason by itself, without a prefix.
func parse(e Event, devices fs.FS) (s spec, err error) {
	name, modifiers := string(e), ""
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name, modifiers = name[:i], name[i+1:]
		if modifiers == "" {
			return s, fmt.Errorf("nothing follows the colon; write u for user mode or k for the kernel, or leave the colon out")
		}
	}
	pmu, rest, isPMU := strings.Cut(name, "/")
	if isPMU {
		terms, after, closed := strings.Cut(rest, "/")
		if !closed {
			return s, fmt.Errorf("no closing slash; write %s/%s/", pmu, rest)
		}
		if after != "" && modifiers == "" { // perf also takes pmu/event/u
			modifiers, after = after, ""
		}
		if after != "" {
			return s, fmt.Errorf("%q follows the closing slash", after)
		}
		s, err = parsePMU(pmu, terms, devices)
	} else {
		s, err = parsePlain(name)
	}
	if err != nil {
		return s, err
	}
	for _, m := range modifiers {
		switch m {
		case 'u':
			s.user = true
		case 'k':
			s.kernel = true
		default:
			return s, fmt.Errorf("unknown modifier %q; u is user mode, k the kernel", m)
		}
	}
	if s.user && s.kernel {
		s.user, s.kernel = false, false
	}
	if s.user && s.inKernel() {
		return s, fmt.Errorf("it happens in the kernel only, and would always read 0 in user mode; leave :u out")
	}
	return s, nil
}

// parsePlain parses a name without a PMU.
func parsePlain(name string) (spec, error) {
	if id, ok := lookup(hardNames[:], name); ok {
		return spec{kind: kindHardware, config: id}, nil
	}
	if id, ok := lookup(softNames[:], name); ok {
		s := spec{kind: kindSoftware, config: id}
		if id == softCPUClock || id == softTaskClock {
			s.unit = "ns"
		}
		return s, nil
	}
	if config, ok := parseCache(name); ok {
		return spec{kind: kindCache, config: config}, nil
	}
	if hex, ok := strings.CutPrefix(name, "r"); ok && hex != "" {
		if config, err := strconv.ParseUint(hex, 16, 64); err == nil {
			return spec{kind: kindRaw, config: config}, nil
		}
	}
	switch {
	case name == "":
		return spec{}, fmt.Errorf("no name")
	case name == string(Elapsed):
		return spec{}, fmt.Errorf("every reading has it as Reading.Elapsed; leave it out")
	case name == "tsc-cycles":
		return spec{}, fmt.Errorf("it exists on Windows only; use cycles")
	}
	return spec{}, fmt.Errorf("no such event; the command perf list prints those of this machine")
}

// parseCache parses names such as "L1-dcache-load-misses".
func parseCache(name string) (uint64, bool) {
	name = strings.ToLower(name)
	for _, cache := range cacheNames {
		rest, ok := strings.CutPrefix(name, cache.name+"-")
		if !ok {
			continue
		}
		for _, op := range cacheOps {
			after, ok := strings.CutPrefix(rest, op.name)
			if !ok {
				continue
			}
			switch after { // "loads", "stores", "prefetches"
			case "s", "es":
				after = ""
			default:
				if after != "" && after[0] != '-' {
					continue
				}
				after = strings.TrimPrefix(after, "-")
			}
			if result, ok := lookup(cacheResults[:], after); ok {
				return cache.id | op.id<<8 | result<<16, true
			}
		}
	}
	return 0, false
}

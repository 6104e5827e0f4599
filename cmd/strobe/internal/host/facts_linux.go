// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func (*Machine) ask() {}

// linuxFiles hold a line or two each.
var linuxFiles = [...]string{
	"proc/sys/kernel/osrelease",
	"sys/devices/system/clocksource/clocksource0/current_clocksource",
	"sys/devices/system/clocksource/clocksource0/available_clocksource",
	"sys/devices/system/cpu/online",
	"sys/devices/system/cpu/isolated",
	"sys/devices/system/cpu/nohz_full",
	"sys/devices/system/cpu/smt/active",
	"sys/devices/system/cpu/cpuidle/current_driver",
	"sys/devices/system/cpu/cpuidle/current_governor",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	"sys/hypervisor/type",
	"sys/class/dmi/id/sys_vendor",
	"sys/fs/cgroup/cpu.max",
	"proc/self/timerslack_ns",
	"proc/sys/kernel/timer_migration",
	"proc/sys/kernel/sched_rt_runtime_us",
	"proc/sys/kernel/perf_event_paranoid",
	"proc/sys/kernel/perf_event_max_sample_rate",
	"proc/sys/kernel/perf_user_access",
}

// processorKeys are the keys of /proc/cpuinfo on all architectures that say which processor it is. Others are numbers of one
// specimen.
var processorKeys = [...]string{"vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "flags", "bugs",
	"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features", "BogoMIPS", "bogomips", "Model", "Hardware",
	"isa", "mmu", "uarch", "mvendorid", "marchid", "mimpid", "cpu", "cpu model", "system type", "clock", "revision", "timebase", "platform",
	"features", "Model Name", "CPU Family"}

// clockWords begin the words of the kernel's command line that change clocks, timers and idle processors.
var clockWords = [...]string{"clocksource", "tsc", "notsc", "nohz", "nohz_full", "isolcpus", "rcu_nocbs", "highres", "hpet", "no-kvmclock", "no-kvmclock-vsyscall",
	"no-steal-acc", "idle", "intel_idle.max_cstate", "processor.max_cstate", "intel_pstate", "amd_pstate", "cpufreq.default_governor", "mitigations", "nosmt",
	"maxcpus", "nr_cpus", "skew_tick", "lpj", "lapic", "nolapic", "nolapic_timer", "threadirqs", "preempt", "acpi_pm_good", "clearcpuid", "irqaffinity"}

func systemFacts(root string) (facts []Fact) {
	for _, name := range linuxFiles {
		facts = append(facts, ofFile(root, name, func(text string) string { return text }))
	}
	facts = append(facts, ofFile(root, "proc/cpuinfo", firstProcessor), ofFile(root, "proc/cmdline", ofClocks))
	const events = "sys/bus/event_source/devices"
	entries, err := os.ReadDir(filepath.Join(root, events))
	if err != nil {
		return append(facts, unknown("/"+events, reasonOf(err)))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return append(facts, known("/"+events, strings.Join(names, " ")))
}

// ofFile returns what part of a file says.
func ofFile(root, name string, part func(string) string) Fact {
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		return unknown("/"+name, reasonOf(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return unknown("/"+name, reasonOf(err))
	}
	return known("/"+name, part(string(text)))
}

// reasonOf leaves out the name of the file, which is that of the fact.
func reasonOf(err error) error {
	if where := (*fs.PathError)(nil); errors.As(err, &where) {
		return where.Err
	}
	return err
}

// firstProcessor returns the lines about the first processor that do not tell one specimen from another.
func firstProcessor(cpuinfo string) string {
	var lines []string
	seen := map[string]bool{}
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if slices.Contains(processorKeys[:], key) && !seen[key] {
			seen[key] = true
			lines = append(lines, key+": "+value)
		}
	}
	return strings.Join(lines, "\n")
}

// ofClocks returns the words of a command line that are about clocks.
func ofClocks(cmdline string) string {
	var words []string
	for _, word := range strings.Fields(cmdline) {
		key, _, _ := strings.Cut(word, "=")
		if slices.Contains(clockWords[:], key) {
			words = append(words, word)
		}
	}
	if words == nil {
		return "no word about clocks"
	}
	return strings.Join(words, " ")
}

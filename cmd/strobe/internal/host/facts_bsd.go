// SPDX-License-Identifier: BSD-3-Clause

//go:build darwin || freebsd || netbsd || openbsd

package host

import (
	"encoding/binary"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// sysctls returns those that say how clocks and timers work and which processor it is. The version of a BSD kernel is not among them:
// it names who built it. A number has # after its name.
func sysctls() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"kern.osproductversion", "kern.osversion", "kern.osrelease", "hw.model", "machdep.cpu.brand_string", "hw.ncpu#", "hw.physicalcpu#",
			"hw.nperflevels#", "hw.perflevel0.physicalcpu#", "hw.perflevel1.physicalcpu#", "hw.cputype#", "hw.cpusubtype#", "hw.cpufamily#", "hw.tbfrequency#",
			"machdep.tsc.frequency#", "kern.hv_vmm_present#", "sysctl.proc_translated#", "kern.timer.coalescing_enabled#"}
	case "freebsd":
		return []string{"kern.osrelease", "kern.osreldate#", "hw.model", "hw.machine_arch", "hw.ncpu#", "kern.vm_guest", "kern.hz#",
			"kern.timecounter.hardware", "kern.timecounter.choice", "kern.timecounter.fast_gettime#", "kern.timecounter.alloweddeviation#", "kern.timecounter.tick#",
			"kern.timecounter.tc.TSC.frequency#", "kern.timecounter.tc.TSC-low.frequency#", "kern.timecounter.smp_tsc#", "kern.timecounter.invariant_tsc#",
			"kern.eventtimer.timer", "kern.eventtimer.choice", "kern.eventtimer.periodic#", "kern.eventtimer.idletick#", "machdep.tsc_freq#", "machdep.idle"}
	case "netbsd":
		return []string{"kern.osrelease", "hw.model", "hw.machine_arch", "hw.ncpu#", "kern.timecounter.hardware", "kern.timecounter.choice"}
	}
	return []string{"kern.osrelease", "hw.machine", "hw.model", "hw.ncpu#", "hw.ncpuonline#", "kern.timecounter.hardware", "kern.timecounter.choice",
		"kern.timecounter.tick#", "hw.vendor"} // OpenBSD
}

func systemFacts(string) (facts []Fact) {
	for _, name := range sysctls() {
		facts = append(facts, ofSysctl(name))
	}
	return facts
}

// ofSysctl reads a sysctl.
func ofSysctl(name string) Fact {
	if text := name[:len(name)-1]; name[len(text)] == '#' {
		raw, err := unix.SysctlRaw(text)
		switch {
		case err != nil:
			return unknown(text, err)
		case len(raw) == 4:
			return known(text, strconv.Itoa(int(int32(binary.NativeEndian.Uint32(raw)))))
		case len(raw) == 8:
			return known(text, strconv.FormatUint(binary.NativeEndian.Uint64(raw), 10))
		}
		return Fact{Name: text, Reason: strconv.Itoa(len(raw)) + " bytes, not a number"}
	}
	value, err := unix.Sysctl(name)
	if err != nil {
		return unknown(name, err)
	}
	return known(name, value)
}

// ask describes the machine by sysctls.
func (m *Machine) ask() {
	m.Kernel = ofSysctl("kern.osrelease").Value
	if version := ofSysctl("kern.osproductversion").Value; version != "" {
		m.Kernel += ", macOS " + version
	}
	m.Clocksource = ofSysctl("kern.timecounter.hardware").Value
	if m.Processor = ofSysctl("machdep.cpu.brand_string").Value; m.Processor == "" {
		m.Processor = ofSysctl("hw.model").Value
	}
	if guest := ofSysctl("kern.vm_guest").Value; guest != "none" {
		m.Hypervisor = guest
	}
	if ofSysctl("kern.hv_vmm_present#").Value == "1" {
		m.Hypervisor = "present, name unknown"
	}
}

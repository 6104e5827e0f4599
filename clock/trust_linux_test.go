// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKernelsClockSourceDecides(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		source string
		stable bool // according to the hypervisor
		reason string
	}{
		{source: "tsc"}, {source: "arch_sys_counter"}, {source: "kvm-clock", stable: true}, {source: "hyperv_clocksource_tsc_page", stable: true},
		{source: "kvm-clock", reason: "the kernel uses kvm-clock and the hypervisor does not promise a stable counter"},
		{source: "hpet", stable: true, reason: "the kernel uses clock source hpet, not the counter"},
	} {
		file := filepath.Join(dir, c.source)
		if err := os.WriteFile(file, []byte(c.source+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if ok, reason := judgeSource(file, func() bool { return c.stable }); ok != (c.reason == "") || reason != c.reason {
			t.Errorf("%+v: %v, %q", c, ok, reason)
		}
	}
	missing := filepath.Join(dir, "none")
	if ok, reason := judgeSource(missing, nil); ok || !strings.Contains(reason, missing+": no such file") {
		t.Errorf("without the file: %v, %q", ok, reason)
	}
}

func TestTheKernelsClocksAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, s := range Sources() {
		listed[s.Name] = s.Call
	}
	for _, c := range systemClocks {
		if !listed[c.name] {
			t.Errorf("no source is called %s and read by a system call", c.name)
		}
	}
}

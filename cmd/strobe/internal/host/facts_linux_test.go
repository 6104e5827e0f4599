// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFactsOfLinuxAreAChoiceOfWhatItTells(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/sys/kernel/osrelease": "6.1.2-x\n",
		"proc/cpuinfo": "processor\t: 0\nmodel name\t: Fast One\nidentification\t: 0A1B2C\nflags\t\t: fpu tsc\ncpu MHz\t: 1.0\n\nprocessor\t: 1\nmodel name\t: Other\n\n" +
			"Hardware\t: Board\nSerial\t\t: 00000000deadbeef\nModel\t\t: Board 4\n",
		"proc/cmdline":                    "BOOT_IMAGE=/vmlinuz root=UUID=0b-1 ip=10.0.0.1 hostname=tower tsc=reliable nohz_full=1 quiet user.tsc=no\n",
		"sys/class/dmi/id/product_serial": "SERIAL7",
		"sys/devices/system/cpu/online":   strings.Repeat("0-1,", 5000),
	} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]Fact{}
	all := ""
	for _, f := range Facts(root) {
		if got[f.Name] != (Fact{}) || (f.Value == "") == (f.Reason == "") || strings.Contains(f.Reason, root) || len(f.Value) > mostOfAFact+10 {
			t.Errorf("%+v", f)
		}
		got[f.Name], all = f, all+f.Value
	}
	for name, want := range map[string]string{
		"/proc/sys/kernel/osrelease": "6.1.2-x",
		"/proc/cpuinfo":              "model name: Fast One\nflags: fpu tsc\nHardware: Board\nModel: Board 4",
		"/proc/cmdline":              "tsc=reliable nohz_full=1",
	} {
		if got[name].Value != want {
			t.Errorf("%s: %q, want %q", name, got[name].Value, want)
		}
	}
	if online := got["/sys/devices/system/cpu/online"].Value; !strings.HasSuffix(online, "(cut)") {
		t.Errorf("%d bytes", len(online))
	}
	if f := got["/proc/sys/kernel/perf_event_paranoid"]; f.Reason != "no such file or directory" {
		t.Errorf("%+v", f)
	}
	for _, never := range []string{"deadbeef", "0A1B2C", "SERIAL7", "UUID", "10.0.0.1", "tower"} {
		if strings.Contains(all, never) {
			t.Errorf("%s in %s", never, all)
		}
	}
	if none := ofClocks("quiet splash"); none != "no word about clocks" {
		t.Error(none)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// parsePMU parses the terms between the slashes by what the PMU's driver says in sysfs: an event of its list, fields by
// their names, "config" and the like.
func parsePMU(pmu, terms string, devices fs.FS) (spec, error) {
	if pmu == "" || !fs.ValidPath(pmu) || strings.Contains(pmu, "/") {
		return spec{}, fmt.Errorf("no PMU has the name %q", pmu)
	}
	kind, err := readNumber(devices, pmu+"/type")
	if err != nil || kind >= 1<<32 {
		return spec{}, fmt.Errorf("this machine has no PMU %q; ls /sys/bus/event_source/devices lists them", pmu)
	}
	s := spec{kind: uint32(kind)}
	if err := s.terms(pmu, terms, devices, true); err != nil {
		return spec{}, err
	}
	return s, nil
}

// terms applies a list of terms. Only at the top level may a term be an event of the driver's list.
func (s *spec) terms(pmu, terms string, devices fs.FS, top bool) error {
	for term := range strings.SplitSeq(terms, ",") {
		name, text, has := strings.Cut(strings.TrimSpace(term), "=")
		if name == "" || !fs.ValidPath(name) || strings.Contains(name, "/") {
			return fmt.Errorf("term %q: want event or name=value", term)
		}
		if top && !has {
			if list, err := fs.ReadFile(devices, path.Join(pmu, "events", name)); err == nil {
				if err := s.terms(pmu, strings.TrimSpace(string(list)), devices, false); err != nil {
					return err
				}
				s.unit = readText(devices, path.Join(pmu, "events", name+".unit"))
				if f, err := strconv.ParseFloat(readText(devices, path.Join(pmu, "events", name+".scale")), 64); err == nil && f > 0 && f < 1e300 {
					s.scale = f
				}
				continue
			}
		}
		value := uint64(1)
		if has {
			var err error
			if value, err = strconv.ParseUint(text, 0, 64); err != nil {
				return fmt.Errorf("term %q: %q is not a number", term, text)
			}
		}
		if err := s.field(pmu, name, value, devices); err != nil {
			return err
		}
	}
	return nil
}

// field sets one field, whose bits the driver's format places.
func (s *spec) field(pmu, name string, value uint64, devices fs.FS) error {
	switch name {
	case "config":
		s.config = value
		return nil
	case "config1":
		s.config1 = value
		return nil
	case "config2":
		s.config2 = value
		return nil
	}
	format := readText(devices, path.Join(pmu, "format", name))
	if format == "" {
		return fmt.Errorf("PMU %s has no event and no field %q; ls /sys/bus/event_source/devices/%s/events lists the events", pmu, name, pmu)
	}
	word, bits, ok := strings.Cut(format, ":")
	target := map[string]*uint64{"config": &s.config, "config1": &s.config1, "config2": &s.config2}[word]
	if !ok || target == nil {
		return fmt.Errorf("field %q: cannot parse its format %q", name, format)
	}
	left, ok := deposit(target, bits, value)
	if !ok {
		return fmt.Errorf("field %q: cannot parse its format %q", name, format)
	}
	if left != 0 {
		return fmt.Errorf("field %q: %#x is too large for %s", name, value, format)
	}
	return nil
}

// deposit spreads value over bits such as "0-7,32-35", lowest first, and returns what did not fit.
func deposit(target *uint64, bits string, value uint64) (left uint64, ok bool) {
	for r := range strings.SplitSeq(bits, ",") {
		low, high, ranged := strings.Cut(r, "-")
		if !ranged {
			high = low
		}
		from, err1 := strconv.ParseUint(low, 10, 8)
		to, err2 := strconv.ParseUint(high, 10, 8)
		if err1 != nil || err2 != nil || from > to || to > 63 {
			return value, false
		}
		n := to - from + 1
		mask := uint64(1)<<n - 1 // all ones for 64
		*target = *target&^(mask<<from) | (value&mask)<<from
		value >>= n // 0 for 64
	}
	return value, true
}

// coreKinds returns the types of the PMUs of a processor with several types of cores, or nil if all cores are alike.
func coreKinds(devices fs.FS) []uint64 {
	var kinds []uint64
	entries, _ := fs.ReadDir(devices, ".")
	for _, e := range entries { // sorted by name
		if _, err := fs.Stat(devices, e.Name()+"/cpus"); err != nil { // only PMUs of cores have it
			continue
		}
		if kind, err := readNumber(devices, e.Name()+"/type"); err == nil && kind < 1<<32 {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) < 2 {
		return nil
	}
	return kinds
}

// hasCore reports whether the processor's own PMU is there, as the drivers for x86 name it: cpu, cpu_core, cpu_atom.
func hasCore(devices fs.FS) bool {
	entries, _ := fs.ReadDir(devices, ".")
	for _, e := range entries {
		if e.Name() == "cpu" || strings.HasPrefix(e.Name(), "cpu_") {
			return true
		}
	}
	return len(entries) == 0 // sysfs is not mounted: unknown
}

// listed returns the events that the drivers list, under the names that Open takes, in order.
func listed(devices fs.FS) []Event {
	var events []Event
	pmus, _ := fs.ReadDir(devices, ".")
	for _, pmu := range pmus {
		entries, _ := fs.ReadDir(devices, pmu.Name()+"/events")
		for _, e := range entries {
			if !strings.Contains(e.Name(), ".") { // ".unit", ".scale"
				events = append(events, Event(pmu.Name()+"/"+e.Name()+"/"))
			}
		}
	}
	return events
}

func readText(devices fs.FS, name string) string {
	b, _ := fs.ReadFile(devices, name)
	return strings.TrimSpace(string(b))
}

func readNumber(devices fs.FS, name string) (uint64, error) {
	return strconv.ParseUint(readText(devices, name), 10, 64)
}

// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func version() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}

const processorKey = `HARDWARE\DESCRIPTION\System\CentralProcessor\0`

// processor reads a value about the first processor.
func processor(name string) Fact {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, processorKey, registry.QUERY_VALUE)
	if err != nil {
		return unknown(name, err)
	}
	defer k.Close()
	if text, _, err := k.GetStringValue(name); err == nil {
		return known(name, text)
	}
	n, _, err := k.GetIntegerValue(name)
	if err != nil {
		return unknown(name, err)
	}
	return known(name, fmt.Sprint(n))
}

func systemFacts(string) []Fact {
	facts := []Fact{known("version", version())}
	for _, name := range []string{"ProcessorNameString", "Identifier", "VendorIdentifier", "~MHz"} {
		facts = append(facts, processor(name))
	}
	ntdll := windows.NewLazySystemDLL("ntdll.dll")
	const timer = "NtQueryTimerResolution, in 100 ns"
	if p := ntdll.NewProc("NtQueryTimerResolution"); p.Find() != nil {
		facts = append(facts, unknown(timer, p.Find()))
	} else {
		var coarsest, finest, now uint32
		status, _, _ := p.Call(uintptr(unsafe.Pointer(&coarsest)), uintptr(unsafe.Pointer(&finest)), uintptr(unsafe.Pointer(&now)))
		if status == 0 {
			facts = append(facts, known(timer, fmt.Sprintf("coarsest %d, finest %d, now %d", coarsest, finest, now)))
		} else {
			facts = append(facts, Fact{Name: timer, Reason: fmt.Sprintf("status %#x", uint32(status))})
		}
	}
	if p := ntdll.NewProc("wine_get_version"); p.Find() == nil {
		text, _, _ := p.Call()
		facts = append(facts, known("Wine", windows.BytePtrToString(*(**byte)(unsafe.Pointer(&text)))))
	}
	return facts
}

// ask describes the machine by its registry.
func (m *Machine) ask() { m.Kernel, m.Processor = version(), processor("ProcessorNameString").Value }

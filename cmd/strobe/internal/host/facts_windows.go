// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
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
	facts = append(facts, behind())
	if p := ntdll.NewProc("wine_get_version"); p.Find() == nil {
		text, _, _ := p.Call()
		facts = append(facts, known("Wine", windows.BytePtrToString(*(**byte)(unsafe.Pointer(&text)))))
	}
	return facts
}

// behind tells how far what Windows counts for the process may be behind a thread that runs. Package pressure assumes a clock tick.
func behind() Fact {
	const name = "QueryProcessCycleTime, ticks behind a thread that runs"
	query := windows.NewLazySystemDLL("kernel32.dll").NewProc("QueryProcessCycleTime")
	if err := query.Find(); err != nil {
		return unknown(name, err)
	}
	var stop atomic.Bool
	defer stop.Store(true)
	go func() {
		for !stop.Load() {
		}
	}()
	var lags []int64 // by how much, and a constant
	from := clock.TicksOrdered()
	for range 100 {
		time.Sleep(2 * time.Millisecond)
		var cycles uint64
		if ok, _, err := query.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&cycles))); ok == 0 {
			return unknown(name, err)
		}
		lags = append(lags, int64(clock.TicksOrdered()-cycles))
	}
	if !clock.Counting() {
		return Fact{Name: name, Reason: "the clock does not read the processor's counter"}
	}
	return known(name, fmt.Sprintf("at most %d of %d", slices.Max(lags)-slices.Min(lags), clock.TicksOrdered()-from))
}

// ask describes the machine by its registry.
func (m *Machine) ask() { m.Kernel, m.Processor = version(), processor("ProcessorNameString").Value }

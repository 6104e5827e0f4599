// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"encoding/binary"
	"runtime"
	"testing"
)

// What needs the most memory for its length: goroutines, threads, and entries of tables.
func TestMemoryIsBoundedByTheLength(t *testing.T) {
	const sync = "Trace Go1.25\nEventBatch gen=1 m=18446744073709551615 time=10000\n" + sync125
	batch := func(to []byte, thread uint64, events []byte) []byte {
		to = append(to, evEventBatch, 1)
		to = binary.AppendUvarint(to, thread)
		to = append(to, 1)
		return append(binary.AppendUvarint(to, uint64(len(events))), events...)
	}
	for name, add := range map[string]func(to []byte) []byte{
		"goroutines": func(to []byte) []byte {
			events := []byte{evProcStatus, 0, 0, 1}
			for id := uint64(1); len(to)+len(events) < 60_000; id++ {
				events = append(binary.AppendUvarint(append(events, evGoCreate, 0), id), 0, 0)
			}
			return batch(to, 1, events)
		},
		"threads": func(to []byte) []byte {
			for id := uint64(1); len(to) < 60_000; id++ {
				to = batch(to, id, []byte{evUserTaskEnd, 0, 0, 0})
			}
			return to
		},
		"strings": func(to []byte) []byte {
			events := []byte{evStrings}
			for len(events) < 60_000 {
				events = append(events, evString, 1, 0)
			}
			return batch(to, 1, events)
		},
		"system calls": func(to []byte) []byte {
			events := []byte{evProcStatus, 0, 0, 1, evGoStatus, 0, 1, 1, 2}
			for seq := uint64(1); len(events) < 60_000; seq++ {
				events = append(binary.AppendUvarint(append(events, evGoSyscallBegin, 0), seq), 0, evGoSyscallEnd, 0)
			}
			return batch(to, 1, events)
		},
	} {
		data := add(assemble(t, sync))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tr, err := Read(data)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Error(name, err)
			continue
		}
		times := (after.TotalAlloc - before.TotalAlloc) / uint64(len(data))
		t.Logf("%s: %d times the length of %d", name, times, len(data))
		if times > 150 {
			t.Errorf("%s: %d times the length of %d", name, times, len(data))
		}
		runtime.KeepAlive(tr)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import "unsafe"

// memory returns the bytes that the model uses, without names, which are the profiler's, and without what it holds of the spans
// that have not ended.
func (m *model) memory() int64 {
	bytes := sizeOf(m.plots.items) + sizeOf(m.texts.items) + sizeOf(m.names) + sizeOf(m.called) + sizeOf(m.tracks.crowd.lanes) + sizeOf(m.paths.all) + sizeOf(m.history.all)
	for i := range m.texts.items {
		bytes += int64(len(m.texts.items[i].text))
	}
	for i := range m.reports.all.items {
		bytes += int64(len(m.reports.all.items[i].json)) + int64(len(m.reports.all.items[i].text))
	}
	bytes += sizeOf(m.divided.items)
	for _, l := range m.paths.lanes {
		bytes += sizeOf(l.numbers)
	}
	for _, l := range m.loops {
		bytes += l.bytes
	}
	return bytes + m.units.collector.Bytes() + m.units.keeper.Bytes()
}

func sizeOf[T any](items []T) int64 {
	var x T
	return int64(cap(items)) * int64(unsafe.Sizeof(x))
}

// SPDX-License-Identifier: BSD-3-Clause

// Package pressure reads cheap counters of the process and the machine: what may have slowed a program down that its own
// clock does not see. The difference of two readings tells how much of each there was in between.
//
//	p := pressure.Open(pressure.Options{})
//	defer p.Close()
//	var before, after pressure.Reading
//	p.Read(&before)
//	...
//	p.Read(&after)
//	waited := after.Since(&before)
//	took, ok := waited.Value(pressure.Waited)
//
// A counter that the system does not have is absent, and [Reader.Missing] has the reason and the remedy.
package pressure

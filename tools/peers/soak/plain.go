// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"sync/atomic"

	"github.com/strobe-go/strobe"
)

const prefix = "soak " // of names of zones

// The zones of the program.
const (
	request = iota
	handler
	parse
	query
	render
	recursive
	few
	unwound
	forgotten
	twice
	elsewhere
	added
	phase
	rest
	worker
	idle
	connection
	reading
	served
	turn
	part
	leaked
	zones
)

var kinds = [zones]struct {
	name string
	make func(string) *strobe.Zone
}{
	request: {"request", strobe.NewRootZone}, handler: {"handler", strobe.NewZone}, parse: {"parse", strobe.NewZone}, query: {"query", strobe.NewWaitZone},
	render: {"render", strobe.NewZone}, recursive: {"recursive", strobe.NewZone}, few: {"few", strobe.NewZone}, unwound: {"unwound", strobe.NewZone},
	forgotten: {"forgotten", strobe.NewZone}, twice: {"twice", strobe.NewZone}, elsewhere: {"elsewhere", strobe.NewZone}, added: {"added", strobe.NewZone},
	phase: {"phase", strobe.NewZone}, rest: {"rest", strobe.NewZone}, worker: {"worker", strobe.NewZone}, idle: {"idle", strobe.NewWaitZone},
	connection: {"connection", strobe.NewZone}, reading: {"reading", strobe.NewWaitZone}, served: {"served", strobe.NewZone}, turn: {"turn", strobe.NewZone},
	part: {"part", strobe.NewZone}, leaked: {"leaked", strobe.NewZone},
}

// misused are the zones whose spans are not ended as they should be. A lane that goroutines share does not notice that.
var misused = [zones]bool{forgotten: true, twice: true, elsewhere: true}

// plain counts what the program does, with nothing but atomic additions.
type plain struct {
	bare         bool // no span is begun
	zones        [zones]*strobe.Zone
	begun, ended [zones]atomic.Uint64

	goroutines                         atomic.Uint64
	leaks, twices, elsewheres, forgets atomic.Uint64
	turns, plotted                     atomic.Uint64
}

func newPlain(bare bool) *plain {
	p := &plain{bare: bare}
	if bare {
		return p
	}
	for z, k := range kinds {
		p.zones[z] = k.make(prefix + k.name) // other zones of the process have other names
	}
	p.zones[few].SetSampling(16)
	return p
}

func (p *plain) enter(z int) strobe.Span {
	p.begun[z].Add(1)
	if p.bare {
		return strobe.Span{}
	}
	return p.zones[z].Enter()
}

func (p *plain) exit(z int, s strobe.Span) {
	s.Exit()
	p.ended[z].Add(1)
}

// read returns the calls that have begun, or ended.
func read(from *[zones]atomic.Uint64) counts {
	all := make(counts, zones)
	for z := range from {
		all[z] = from[z].Load()
	}
	return all
}

// sum returns the number of all calls.
func (c counts) sum() (n uint64) {
	for _, x := range c {
		n += x
	}
	return n
}

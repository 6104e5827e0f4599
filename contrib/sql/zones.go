// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

var (
	zConnect  = strobe.NewWaitZone("sql connect")
	zPrepare  = strobe.NewWaitZone("sql prepare")
	zBegin    = strobe.NewWaitZone("sql begin")
	zCommit   = strobe.NewWaitZone("sql commit")
	zRollback = strobe.NewWaitZone("sql rollback")
	zPing     = strobe.NewWaitZone("sql ping")
	zReset    = strobe.NewWaitZone("sql reset")
)

// Options are those of Open, Wrap and WrapConnector. The zero value is useful.
type Options struct {
	// Name returns the name of the zone of a query. It must not depend on values: queries beyond Queries share a zone. nil means
	// Normalize.
	Name func(query string) string

	Queries int // how many queries have zones of their own; less than 1: 200

	// RowSampling times one in this many calls of Rows.Next, and counts all: see strobe.Zone.SetSampling. 0 or 1: every call;
	// negative: none is timed or counted.
	RowSampling int
}

// A statement has the zones of a query.
type statement struct {
	query, rows *strobe.Zone
}

const (
	mostKnown    = 500  // texts of queries that are kept with their statements
	longestKnown = 4096 // bytes of such a text
)

// queries are the statements of a driver or a connector.
type queries struct {
	name  func(string) string // nil: Normalize
	zones *dropin.Zones
	rows  *dropin.Zones

	mu    sync.Mutex
	known atomic.Pointer[map[string]statement] // by the text of the query; replaced, never changed
}

func newQueries(o Options) *queries {
	rows := func(name string) *strobe.Zone {
		z := strobe.NewWaitZone(name + " (rows)")
		if o.RowSampling != 0 {
			z.SetSampling(o.RowSampling)
		}
		return z
	}
	q := &queries{name: o.Name, zones: dropin.NewZones(strobe.NewWaitZone, o.Queries, "(other queries)"), rows: dropin.NewZones(rows, o.Queries, "(other queries)")}
	q.known.Store(&map[string]statement{})
	return q
}

// statement returns the zones of a query. Texts that have no literals are as many as the program has, and are kept, so that most calls only
// look them up; others may be different each time.
func (q *queries) statement(text string) statement {
	if s, ok := (*q.known.Load())[text]; ok {
		return s
	}
	var name string
	keep := len(text) <= longestKnown
	if q.name != nil {
		name = q.name(text)
	} else {
		var literals bool
		name, literals = normalize(text)
		keep = keep && !literals
	}
	s := statement{q.zones.Zone(name), q.rows.Zone(name)}
	if keep {
		q.keep(text, s)
	}
	return s
}

func (q *queries) keep(text string, s statement) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := *q.known.Load()
	if len(before) >= mostKnown {
		return
	}
	after := maps.Clone(before)
	after[strings.Clone(text)] = s
	q.known.Store(&after)
}

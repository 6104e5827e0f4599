// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/tether"
)

// A slowKind is the units of one root that were slow for the same cause, and explained.
type slowKind struct {
	root, cause string
	explained   int
	lost        time.Duration // what those took longer than usual of which it is known; 0 if it is of none
	longest     tether.Slow
}

const mostKinds = 1000

// A slowLog keeps what the program says of slow units.
type slowLog struct {
	folder string // of their files; "" if slow units are not explained
	to     io.Writer
	quiet  bool // only faults are written to it

	mu       sync.Mutex
	kinds    []*slowKind
	units    map[string]uint64 // slow ones, also without an explanation, by root
	latest   tether.Slow
	watching float64 // as in tether.Reading
}

// slowUnits is what is known of slow units at the end.
type slowUnits struct {
	folder   string      // of their files; "" if slow units were not explained
	kinds    []*slowKind // those that cost most time first
	all      uint64      // units that were slow, explained or not
	degrees  []string    // sources that were missing
	watching float64     // as in tether.Reading, at the end
}

// add adds what a reading has, and writes lines about it.
func (l *slowLog) add(r tether.Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watching = r.Watching
	lines := r.Faults
	if !l.quiet {
		lines = append(r.Said, lines...)
	}
	for _, line := range lines {
		fmt.Fprintln(l.to, "strobe:", plain.Text(line))
	}
	for _, u := range r.Slow {
		i := slices.IndexFunc(l.kinds, func(k *slowKind) bool { return k.root == u.Root && k.cause == u.Cause })
		if i < 0 {
			if len(l.kinds) == mostKinds {
				continue
			}
			i, l.kinds = len(l.kinds), append(l.kinds, &slowKind{root: u.Root, cause: u.Cause})
		}
		k := l.kinds[i]
		k.explained++
		if u.Usual > 0 {
			k.lost += u.Took - u.Usual
		}
		if u.Took > k.longest.Took {
			k.longest = u
		}
		if l.units == nil {
			l.units = map[string]uint64{}
		}
		l.units[u.Root] = max(l.units[u.Root], u.Units)
		l.latest = u
	}
}

// end returns what was collected.
func (l *slowLog) end() slowUnits {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := slowUnits{folder: l.folder, degrees: l.latest.Degrees, watching: l.watching}
	u.kinds = slices.SortedStableFunc(slices.Values(l.kinds), func(a, b *slowKind) int { return cmp.Compare(b.lost, a.lost) })
	for _, n := range l.units {
		u.all += n
	}
	return u
}

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
	lost        time.Duration // what all of them took longer than usual
	longest     tether.Slow
	said        time.Time
}

const (
	mostKinds = 1000
	saidEvery = 10 * time.Second // how often a slow unit of a kind is told of while the program runs
)

// A slowLog keeps what the program says of slow units.
type slowLog struct {
	folder string    // of their files; "" if slow units are not explained
	say    io.Writer // gets a line for a slow unit; nil if none is wanted

	mu     sync.Mutex
	kinds  []*slowKind
	units  map[string]uint64 // slow ones, also without an explanation, by root
	latest tether.Slow
}

// slowUnits is what is known of slow units at the end.
type slowUnits struct {
	folder   string      // of their files; "" if slow units were not explained
	kinds    []*slowKind // those that cost most time first
	all      uint64      // units that were slow, explained or not
	degrees  []string    // sources that were missing
	overhead float64     // as in tether.Slow
}

func (l *slowLog) add(all []tether.Slow, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range all {
		i := slices.IndexFunc(l.kinds, func(k *slowKind) bool { return k.root == u.Root && k.cause == u.Cause })
		if i < 0 {
			if len(l.kinds) == mostKinds {
				continue
			}
			i, l.kinds = len(l.kinds), append(l.kinds, &slowKind{root: u.Root, cause: u.Cause})
		}
		k := l.kinds[i]
		k.explained++
		k.lost += u.Took - u.Usual
		if u.Took > k.longest.Took {
			k.longest = u
		}
		if l.units == nil {
			l.units = map[string]uint64{}
		}
		l.units[u.Root] = max(l.units[u.Root], u.Units)
		l.latest = u
		if l.say != nil && (k.said.IsZero() || now.Sub(k.said) >= saidEvery) {
			k.said = now
			fmt.Fprintln(l.say, "strobe:", plain.Text(u.Sentence))
		}
	}
}

// end returns what was collected.
func (l *slowLog) end() slowUnits {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := slowUnits{folder: l.folder, degrees: l.latest.Degrees, overhead: l.latest.Overhead}
	u.kinds = slices.SortedStableFunc(slices.Values(l.kinds), func(a, b *slowKind) int { return cmp.Compare(b.lost, a.lost) })
	for _, n := range l.units {
		u.all += n
	}
	return u
}

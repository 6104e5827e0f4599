// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

const (
	mostLayouts = 8    // where the flags say nothing
	linkShare   = 4    // linking takes at most a quarter of --max-time
	otherSeeds  = 1000 // from these on, the working tree is linked with other seeds than itself
)

// link builds the packages that are measured in other layouts: in as many as the flags say, or as there is time for.
func (m *measurement) link(s *session.Session, dirs [2]string) error {
	p := s.Progress()
	defer p.Clear()
	type variant struct {
		pk     *pkg
		of     int // index of its binaries
		linked []string
	}
	var all []*variant
	for _, pk := range m.pkgs {
		need := [3]bool{}
		for _, b := range m.all {
			if b.pkg == pk {
				need[newSide], need[b.base()] = true, true
			}
		}
		for of, wanted := range need {
			if wanted {
				all = append(all, &variant{pk: pk, of: of})
			}
		}
	}
	m.layouts = m.flags.Layouts
	if m.layouts < 0 {
		m.layouts = mostLayouts
	}
	if len(all) == 0 {
		m.layouts = 0
	}
	began := clock.Now()
	for n := 0; n < m.layouts; n++ {
		for _, v := range all {
			side := v.of % ownSide
			p.Show("linking %s of %s, layout %d of %d", v.pk.path, sideNames[side], n+1, m.layouts)
			seed := 1 + m.firstLayout + n
			if m.flags.Self && side == newSide { // as a change of any function would do it
				seed += otherSeeds
			}
			flags := m.buildFlags()
			if v.of == oldSide && v.pk.flags != nil {
				flags = v.pk.flags
			}
			binary := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(v.pk.binaries[v.of][0], exeSuffix), seed, exeSuffix)
			err := build(s.Ctx, dirs[side], v.pk.target, binary, flags, seed)
			if s.Interrupted() {
				return s.Ctx.Err()
			}
			if err != nil { // a linker that does not know the flag
				m.notes = append(m.notes, fmt.Sprintf("one layout of the code only, so that an effect of the layout may look like a difference: %v", err))
				m.layouts = 0
				return nil
			}
			v.linked = append(v.linked, binary)
		}
		if m.flags.Layouts < 0 {
			m.layouts = affordable(clock.Since(began)/time.Duration(n+1), time.Duration(m.flags.MaxTime), n+1)
		}
	}
	for _, v := range all {
		if m.layouts > 0 {
			v.pk.binaries[v.of] = v.linked
		}
	}
	return nil
}

// affordable returns how many layouts to link: as many as there is time for, and those that are done. It is 0 where there is time
// for one only, since a single layout cannot show what the others would do.
func affordable(each, budget time.Duration, done int) int {
	n := min(mostLayouts, int(budget/linkShare/max(1, each)))
	if n < 2 && done < 2 {
		return 0
	}
	return max(n, done)
}

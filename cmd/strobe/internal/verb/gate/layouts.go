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

// link builds packages in other layouts: in as many as the flags say, or as there is time for.
func (m *measurement) link(s *session.Session, dirs [2]string, pkgs []*pkg) error {
	p := s.Progress()
	linked := make([][2][]string, len(pkgs))
	m.layouts = m.flags.Layouts
	if m.layouts < 0 {
		m.layouts = mostLayouts
	}
	began := clock.Now()
	for n := 0; n < m.layouts; n++ {
		for i, pk := range pkgs {
			for side, dir := range dirs {
				p.Show("linking %s of %s, layout %d of %d", pk.path, sideNames[side], n+1, m.layouts)
				seed := 1 + n
				if m.flags.Self && side == newSide { // as a change of any function would do it
					seed += otherSeeds
				}
				binary := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(pk.binaries[side][0], exeSuffix), seed, exeSuffix)
				err := build(s.Ctx, dir, pk.target, binary, m.build, seed)
				if s.Interrupted() {
					return s.Ctx.Err()
				}
				if err != nil { // a linker that does not know the flag
					m.notes = append(m.notes, fmt.Sprintf("one layout of the code only, so that an effect of the layout may look like a difference: %v", err))
					m.layouts = 0
					return nil
				}
				linked[i][side] = append(linked[i][side], binary)
			}
		}
		if m.flags.Layouts < 0 {
			m.layouts = affordable(clock.Since(began)/time.Duration(n+1), time.Duration(m.flags.MaxTime), n+1)
		}
	}
	for i, pk := range pkgs {
		if m.layouts > 0 {
			pk.binaries = linked[i]
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

// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"math"
	"testing"
	"time"
)

func TestTheLoadIsThatOfOtherPrograms(t *testing.T) {
	from := load{busy: 160 * tick, all: 1210 * tick}
	from.ok = true
	to := from
	to.all, to.busy, to.own = from.all+100*tick, from.busy+60*tick, 35*tick
	if share := from.since(to); math.Abs(share.Center-0.25) > 1e-9 || math.Abs(share.Half()-0.02) > 1e-9 || !share.Bounded() {
		t.Errorf("%+v", share)
	}
	to.own = 70 * tick // counted in finer steps than the others
	if share := from.since(to); share.Center != 0 || share.Lo != 0 {
		t.Errorf("%+v", share)
	}
	to.all = from.all + 19*tick
	if share := from.since(to); share.Known() || share.Reason == "" {
		t.Errorf("%+v", share)
	}
	if share := (load{}).since(to); share.Known() || share.Reason == "" {
		t.Errorf("%+v", share)
	}
}

func TestTheLoadOfThisMachineIsRead(t *testing.T) {
	l := readLoad()
	if !l.ok {
		t.Skip("no /proc/stat here")
	}
	if l.all <= 0 || l.busy < 0 || l.busy > l.all || l.own < 0 || l.own > time.Hour*1e4 {
		t.Errorf("%+v", l)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"math"
	"runtime"
	"testing"

	"github.com/strobe-go/strobe"
)

func TestReadingsUseTheMemoryOfEarlierOnes(t *testing.T) {
	strobe.Record(8 << 20)
	defer strobe.Record(0)
	c := &collector{model: newModel(1 << 20)}
	zone, lane := strobe.NewZone("read again"), strobe.NewLane("read again")
	defer lane.Close()
	read := func(spans int) (bytes uint64, events int) {
		for range spans {
			lane.Enter(zone).Exit()
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.read()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, len(c.reading.Events)
	}
	const spans = 2000
	read(spans)
	least := uint64(math.MaxUint64)
	for try := 0; try < 100 && least > 20*spans; try++ { // something else in the process may allocate, and the history does, once a second
		bytes, events := read(spans)
		if events < spans {
			t.Fatalf("%d events of %d spans", events, spans)
		}
		least = min(least, bytes)
	}
	if least > 20*spans {
		t.Errorf("a reading of %d spans allocates %d bytes", spans, least)
	}
	read(5 * mostEvents)
	if n := cap(c.reading.Events); n > 4*mostEvents {
		t.Errorf("room for %d events is kept after a burst", n)
	}
}

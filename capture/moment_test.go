// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"runtime/trace"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	goroutines "github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/gotrace"
)

// A goroutine reads the clock before and after each of some waits. By the trace, too, each wait lies between the two readings, to the
// resolution of its stamps.
func TestTheTracesTimesAreTheClocks(t *testing.T) {
	if _, err := readMoment(); err != nil {
		t.Skip(err)
	}
	const waits = 20
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err)
	}
	var id int64
	var before, after [waits]clock.Instant // each wait, as a goroutine sees it
	done := make(chan bool)
	go func() {
		id = int64(goroutines.Number())
		for i := range waits {
			before[i] = clock.NowOrdered()
			time.Sleep(time.Millisecond)
			after[i] = clock.NowOrdered()
		}
		close(done)
	}()
	<-done
	trace.Stop()
	m, err := readMoment()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := gotrace.ReadBetween(out.Bytes(), 0, m.trace, m.stamps)
	if err != nil {
		t.Fatal(err)
	}
	g, n := tr.Goroutine(id), 0
	if g == nil {
		t.Fatal("the goroutine is not in the trace")
	}
	const step = 1000 // ns: of the stamps, and of what the rate of the clock changes in so short a time
	for i, s := range g.Steps {
		if s.State != gotrace.Waiting || s.Reason != "sleep" || i+1 == len(g.Steps) || n == waits {
			continue
		}
		from, to := int64(s.At)-int64(m.trace-gotrace.Time(m.at)), int64(g.Steps[i+1].At)-int64(m.trace-gotrace.Time(m.at))
		if from < int64(before[n])-step || to > int64(after[n])+step {
			t.Errorf("wait %d was from %d to %d by the clock, %d to %d by the trace", n, before[n], after[n], from, to)
		}
		n++
	}
	if n != waits {
		t.Errorf("%d of %d waits are in the trace", n, waits)
	}
}

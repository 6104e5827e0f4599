// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

func TestStopMayBeCalledByAnyoneAnyNumberOfTimes(t *testing.T) {
	n := 0
	nothing := func() profile.Snapshot { return profile.Snapshot{} }
	r := Start(Options{Every: time.Hour}, Readers{nothing, nothing}, func(*Report) { n++ })
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			r.Stop()
		}()
	}
	all.Wait()
	r.Stop()
	if n != 1 {
		t.Errorf("%d last reports", n)
	}
}

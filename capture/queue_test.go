// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// Several requests wait for a lock, one after the other. Each of them but the first gets it from one that had only waited.
func TestTheFirstInAQueueForALockIsNamed(t *testing.T) {
	const held, enough = 60 * time.Millisecond, 8
	z, saving := strobe.NewRootZone("queued"), strobe.NewZone("saving")
	reports := make(chan Report, 1000)
	c := Start(Options{Roots: []*strobe.Zone{z}, Budget: held / 3, Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	var lock sync.Mutex
	request := func(save bool) {
		defer z.Enter().Exit()
		lock.Lock()
		defer lock.Unlock()
		if save {
			saving.Do(func() { time.Sleep(held) })
		}
	}
	time.Sleep(200 * time.Millisecond)
	waited, named := 0, 0
	for round := 0; round < 20 && waited < enough; round++ { // on a busy machine, other things make them slow, too
		for range 50 {
			request(false)
		}
		var all sync.WaitGroup
		for i := range 5 {
			all.Add(1)
			go func() {
				defer all.Done()
				request(i == 0)
			}()
			time.Sleep(time.Millisecond)
		}
		all.Wait()
		time.Sleep(200 * time.Millisecond)
		for len(reports) > 0 {
			r := <-reports
			if degrees := strings.Join(r.Degrees, "; "); strings.Contains(degrees, "flight recorder is missing") {
				c.Stop()
				t.Skip(degrees)
			}
			if r.Cause != Lock || r.Where == "" || r.Took < held*4/5 || r.Took > held*5/4 { // something else was slow, too
				continue
			}
			if waited++; strings.Contains(r.By, "in zone saving") {
				named++
			} else {
				t.Log(r)
			}
		}
	}
	c.Stop()
	if waited < enough/2 {
		t.Skipf("%d requests waited for as long as the lock was held, and no longer: the processors are too busy", waited)
	}
	if 4*named < 3*waited {
		t.Errorf("the request that saves is named in %d of %d reports", named, waited)
	}
}

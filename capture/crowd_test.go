// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	goroutines "github.com/strobe-go/strobe/internal/goroutine"
)

// Each request has a goroutine of its own, as in many servers, and many begin and end while a slow one waits and before it is looked at:
// others have its lane by then, and several ran whenever it did.
func TestASlowRequestIsThatOfItsOwnGoroutine(t *testing.T) {
	z := strobe.NewRootZone("request of its own")
	reports := make(chan Report, 1000)
	c := Start(Options{Roots: []*strobe.Zone{z}, Budget: 15 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	var all sync.WaitGroup
	request := func(work func()) {
		all.Add(1)
		go func() {
			defer all.Done()
			defer z.Enter().Exit()
			work()
		}()
	}
	end := make(chan bool)
	all.Add(1)
	go func() {
		defer all.Done()
		for {
			select {
			case <-end:
				return
			default:
			}
			for range 4 {
				request(func() { time.Sleep(100 * time.Microsecond) })
			}
			time.Sleep(200 * time.Microsecond)
		}
	}()
	time.Sleep(300 * time.Millisecond)
	var lock sync.Mutex
	var mu sync.Mutex
	var slow []int64
	for range 8 {
		lock.Lock()
		request(func() {
			mu.Lock()
			slow = append(slow, int64(goroutines.Number()))
			mu.Unlock()
			lock.Lock()
			defer lock.Unlock()
		})
		time.Sleep(40 * time.Millisecond)
		lock.Unlock()
		time.Sleep(70 * time.Millisecond)
	}
	close(end)
	all.Wait()
	c.Stop()
	close(reports)
	seen := 0
	for r := range reports {
		if r.Took < 30*time.Millisecond {
			continue // of a machine that is busy
		}
		t.Log(r.Goroutine, r.String(), r.Degrees)
		if degrees := strings.Join(r.Degrees, "; "); strings.Contains(degrees, "flight recorder is missing") {
			t.Skip(degrees)
		}
		if slices.Contains(slow, r.Goroutine) && r.Cause == Lock {
			seen++
		}
	}
	if seen < len(slow)/2 {
		t.Errorf("%d of %d units that waited for a lock are explained", seen, len(slow))
	}
}

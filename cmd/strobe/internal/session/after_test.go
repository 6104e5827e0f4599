// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package session

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPatienceEndsAfterItsTimeUnlessStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended []time.Duration
		begin := time.Now()
		note := func() { ended = append(ended, time.Since(begin)) }
		late, inTime := After(10*time.Second, note), After(20*time.Second, note)
		time.Sleep(10*time.Second + 1)
		if late() {
			t.Error("stopped after its time")
		}
		time.Sleep(5 * time.Second)
		if !inTime() || inTime() {
			t.Error("a second stop is the first, or none is")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(ended) != 1 || ended[0] != 10*time.Second {
			t.Errorf("ended after %v", ended)
		}
	})
}

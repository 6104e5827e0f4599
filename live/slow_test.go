// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

func TestSlowFramesAreTheLongest(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	const name = "loop with slow frames"
	began := time.Now()
	for i := range worstKept + 10 {
		strobe.Frame(name)
		if i == 7 {
			time.Sleep(100 * time.Millisecond)
		}
	}
	var mine []SlowFrame
	for end := time.Now().Add(time.Minute); len(mine) < worstKept; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d frames: %v", len(mine), mine)
		}
		mine = nil
		for _, f := range s.SlowFrames() {
			if f.Loop == name {
				mine = append(mine, f)
			}
		}
	}
	for i, f := range mine {
		if f.Run != s.run || f.Number == 0 || f.Ended.Before(began.Add(-time.Millisecond)) || f.Ended.After(time.Now()) {
			t.Errorf("%+v", f)
		}
		if i > 0 && f.Took < mine[i-1].Took {
			t.Errorf("%v after %v", f.Took, mine[i-1].Took)
		}
	}
	if longest := mine[len(mine)-1]; longest.Took < 100*time.Millisecond {
		t.Errorf("the longest is %+v", longest)
	}
	if len(mine) > worstKept {
		t.Errorf("%d frames", len(mine))
	}
}

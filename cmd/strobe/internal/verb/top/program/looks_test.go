// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/profile"
)

// looked adds what package capture has seen to a message.
func looked(m feed.Message, covered, running, waiting time.Duration) feed.Message {
	m.Figures.Snapshot.Looks = &profile.Looks{Covered: covered}
	if covered > 0 {
		m.Figures.Snapshot.Looks.Units = []profile.ZoneSplit{{Zone: 2, Split: profile.Split{Running: running, Waiting: waiting}}}
	} else {
		m.Figures.Snapshot.Looks.Reason = "it rests"
	}
	return m
}

// What units did is that of the time of their figures, or else that since capture was started; never that of another process.
func TestUnitsHaveWhatTheyDid(t *testing.T) {
	const s = time.Second
	p := serving()
	split := func() *profile.Split {
		all, _, _ := p.Units()
		for _, u := range all {
			if u.Name == "slow" && u.Split != nil {
				t.Errorf("nothing was seen of it: %+v", u.Split)
			}
			if u.Name == "fast" {
				return u.Split
			}
		}
		t.Fatal("there are no units")
		return nil
	}
	p.Add(counted(s, 10, 1000))
	p.Add(counted(2*s, 20, 2000))
	if split() != nil || !strings.Contains(p.Unseen(), "start package capture") {
		t.Errorf("without capture: %v, %q", split(), p.Unseen())
	}
	p.Add(looked(counted(3*s, 30, 3000), 0, 0, 0))
	if split() != nil || !strings.Contains(p.Unseen(), "it rests") {
		t.Errorf("%v, %q", split(), p.Unseen())
	}
	p.Add(looked(counted(20*s, 40, 4000), s, 30*s, 10*s))
	p.Add(looked(counted(21*s, 50, 5000), s, 30*s, 10*s))
	p.Add(looked(counted(31*s, 50, 6000), s, 30*s, 10*s))
	if d := split(); d == nil || d.Running != 30*s || p.Unseen() != "" {
		t.Errorf("nothing was looked at lately, and before that %+v, %q", d, p.Unseen())
	}
	p.Add(looked(counted(32*s, 60, 7000), 2*s, 31*s, 19*s))
	if d := split(); d == nil || d.Running != s || d.Waiting != 9*s {
		t.Errorf("lately: %+v", d)
	}
	again := hello("another run", "")
	again.Hello.Zones = p.Hello.Zones
	p.Add(again)
	p.Add(counted(s, 1, 2))
	p.Add(counted(2*s, 2, 3))
	if split() != nil {
		t.Errorf("of another process: %+v", split())
	}
}

func TestUnitsHaveTheirSlowestOfTheLatestMinute(t *testing.T) {
	p := serving()
	p.Add(counted(time.Second, 10, 1000))
	m := counted(2*time.Second, 20, 2000)
	m.Figures.Slowest = []feed.Slowest{{Zone: 0, Start: 1e9, Took: 69e6, Cause: "lock"}, {Zone: 2, Start: -70e9, Took: 1.52e9}, {Zone: 7, Start: 1e9, Took: 1}}
	p.Add(m)
	p.Add(feed.Message{Frames: &feed.Frames{At: 2e9}})
	all, _, _ := p.Units()
	if len(all) != 2 || all[0].Slowest != nil || all[1].Slowest == nil || all[1].Slowest.Cause != "lock" {
		t.Errorf("%+v", all)
	}
	p.Add(feed.Message{Frames: &feed.Frames{At: 70e9}})
	if all, _, _ := p.Units(); all[1].Slowest != nil {
		t.Error("it ended long ago")
	}
}

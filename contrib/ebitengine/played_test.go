// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

var playFor = flag.Duration("played", 0, "play Ebitengine's games for so long, bare and wrapped in turn, and print what is measured")

const turns = 3 // of each game

// A way is how a game is played.
type way struct {
	name string
	spec
}

var ways = []way{
	{"bare, vsync", spec{Bare: true}},
	{"wrapped", spec{}},
	{"with graph", spec{Options: Options{Overlay: Graph}}},
}

// On a busy machine the figures say little about this package, so it compares nothing with a limit.
func TestPlayedGames(t *testing.T) {
	if *playFor <= 0 {
		t.Skip("games are timed by go test -v -run Played -played 20s, alone on a machine")
	}
	d := screen(t)
	for _, game := range []string{"blocks", "2048"} {
		sums := make([]total, len(ways))
		for range turns {
			for i, w := range ways {
				w.Game, w.Time = game, *playFor
				p := d.start(t, w.spec)
				pressed := d.presses(t, *playFor-time.Second)
				sums[i].add(p.ended(t), pressed)
			}
		}
		for i, w := range ways {
			t.Logf("%-6s %-12s %s", game, w.name, &sums[i])
		}
	}
}

// presses presses a key about ten times a second, at times that have nothing to do with frames, and returns when.
func (d *display) presses(t *testing.T, during time.Duration) (at []int64) {
	t.Helper()
	code := d.code(t, symF9)
	fake := func(what byte) {
		if err := xtest.FakeInputChecked(d.conn, what, code, 0, d.screen.Root, 0, 0, 0).Check(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(500 * time.Millisecond)
	for end := time.Now().Add(during - 500*time.Millisecond); time.Now().Before(end); {
		at = append(at, time.Now().UnixNano())
		fake(xproto.KeyPress)
		time.Sleep(45 * time.Millisecond)
		fake(xproto.KeyRelease)
		time.Sleep(40*time.Millisecond + time.Duration(rand.Int64N(int64(40*time.Millisecond))))
	}
	return at
}

// A total is what was measured in several games of the same way.
type total struct {
	frames, one                     int
	took, used                      time.Duration
	spin                            float64
	rates, periods, lags, latencies []float64
}

func (s *total) add(p played, pressed []int64) {
	s.frames, s.one = s.frames+p.Frames, s.one+p.One
	s.took, s.used = s.took+p.Took, s.used+p.Used
	s.spin = max(s.spin, p.Spin)
	skip := min(60, len(p.Periods)-1) // a second in which the driver compiles
	s.periods = append(s.periods, p.Periods[skip:]...)
	s.rates = append(s.rates, 1000/average(p.Periods[skip:]))
	s.lags = append(s.lags, p.Lags[min(60, len(p.Lags)):]...)
	for _, at := range pressed { // to the first picture with the key, before the next press
		i, _ := slices.BinarySearch(p.Seen, at)
		if i < len(p.Seen) && p.Seen[i]-at < int64(85*time.Millisecond) {
			s.latencies = append(s.latencies, float64(p.Seen[i]-at)/1e6)
		}
	}
}

func (s *total) String() string {
	mean, half := meanOf(s.latencies)
	return fmt.Sprintf("%.3f updates a second (%.3f to %.3f), one in %.2f %% of frames, processor %.1f %%, spin %.2f %%, update to update %s, update to end of Draw %s, key to end of Draw %.2f ± %.2f ms (%d)",
		1000/average(s.periods), slices.Min(s.rates), slices.Max(s.rates), 100*float64(s.one)/float64(s.frames),
		100*s.used.Seconds()/s.took.Seconds(), 100*s.spin, quantiles(s.periods), quantiles(s.lags), mean, half, len(s.latencies))
}

// quantiles prints some, in milliseconds.
func quantiles(x []float64) string {
	if len(x) == 0 {
		return "not known"
	}
	x = slices.Sorted(slices.Values(x))
	at := func(q float64) float64 { return x[int(q*float64(len(x)-1))] }
	return fmt.Sprintf("%.3f, %.3f, %.3f ms (p1, p50, p99)", at(.01), at(.5), at(.99))
}

// meanOf returns the mean and the half-width of its 95 % interval. The presses are independent, so the normal one holds.
func meanOf(x []float64) (mean, half float64) {
	mean = average(x)
	for _, v := range x {
		half += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, 1.96 * math.Sqrt(half/float64(len(x)))
}

func average(x []float64) (mean float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	return mean
}

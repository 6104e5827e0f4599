// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"runtime"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat/decide"
)

// A kind is a kind of extra cost that short blocks of calls hardly show, or not at all.
type kind struct {
	name string
	make func(t *testing.T) (base, other func())
}

const turnsOfACall = 150 // of xorshift, about 150 ns

func evenCall() { Keep(xorshift(turnsOfACall)) }

// kinds cost between a quarter and three fifths more.
var kinds = []kind{
	{"one call in 4096 compacts", func(*testing.T) (func(), func()) {
		n := 0
		return evenCall, func() {
			evenCall()
			if n++; n%4096 == 0 {
				Keep(xorshift(turnsOfACall * 4096 * 28 / 100))
			}
		}
	}},
	{"one call in 500 costs 150 times as much", func(*testing.T) (func(), func()) {
		n := 0
		return evenCall, func() {
			if n++; n%500 == 0 {
				Keep(xorshift(turnsOfACall * 149))
			}
			evenCall()
		}
	}},
	{"a helper works for each call", func(t *testing.T) (func(), func()) {
		n, tokens, done := 0, make(chan int, 1<<16), make(chan bool)
		go func() {
			for k := range tokens {
				Keep(xorshift(k))
			}
			close(done)
		}()
		t.Cleanup(func() { close(tokens); <-done })
		return evenCall, func() {
			evenCall()
			if n++; n%1000 == 0 {
				tokens <- turnsOfACall * 1000 * 35 / 100
			}
		}
	}},
	{"a helper works all the time", func(t *testing.T) (func(), func()) {
		stop, done, started := make(chan bool), make(chan bool), false
		t.Cleanup(func() {
			if close(stop); started {
				<-done
			}
		})
		return evenCall, func() {
			if evenCall(); !started {
				started = true
				go func() {
					for {
						select {
						case <-stop:
							close(done)
							return
						case <-time.After(time.Millisecond):
							Keep(xorshift(600_000))
						}
					}
				}()
			}
		}
	}},
	{"the collector marks what one keeps", func(t *testing.T) (func(), func()) {
		const entries = 400_000
		values, pointers := make([][6]int, entries), make([]*[6]int, entries)
		for i := range pointers {
			pointers[i] = new([6]int)
		}
		t.Cleanup(func() { runtime.KeepAlive(values); runtime.KeepAlive(pointers) })
		i, k := 0, 0
		return func() {
				i = (i + 1) % 1000
				escaped = make([]byte, 256)
				values[i][0]++
			}, func() {
				k = (k + 1) % 1000
				escaped = make([]byte, 256)
				pointers[k][0]++
			}
	}},
	{"the cost grows with the calls", func(*testing.T) (func(), func()) {
		n := 0
		return evenCall, func() {
			n++
			Keep(xorshift(turnsOfACall + min(n/2000, turnsOfACall*6/10)))
		}
	}},
}

func TestNoneOfTheKindsThatShortBlocksMissPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second for each kind")
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			base, other := k.make(t)
			c := Compare(base, other, CompareOptions{MaxTime: time.Second, Gate: 0.05})
			o, reason := Gate(c, 0.05)
			t.Logf("%s: %s\n%v", o, reason, c)
			if o != decide.Passed {
				return
			}
			if l := c.Long; k.name == "a helper works all the time" && l.Base.CPU.Center < l.Base.Time.Center/2 {
				t.Skip("the machine is too busy for the helper to run while neither function is called")
			}
			t.Errorf("%s: %s", o, reason)
		})
	}
}

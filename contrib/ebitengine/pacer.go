// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"context"
	"runtime"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

// canWait is false where the system calls the game when it wants a frame, and nothing may wait in between.
const canWait = runtime.GOOS != "js" && runtime.GOOS != "android" && runtime.GOOS != "ios"

// A pacer waits for the time of the next frame: on the main thread from hold to release, or in wait. One goroutine calls these.
type pacer struct {
	fixed   float64 // frames per second; 0: those of the game
	rate    float64
	limiter *pace.Limiter

	onMain func(func())
	onHeld func() // waitHeld, without an allocation for each frame
	held   bool
	called bool
	taken  chan bool          // whether the main thread has begun to wait: it takes no calls when the game has ended
	done   chan clock.Instant // when the wait was over; it has room, since nobody asks when the game has ended
}

func newPacer(rate float64, onMain func(func())) *pacer {
	p := &pacer{fixed: rate, onMain: onMain, taken: make(chan bool), done: make(chan clock.Instant, 1)}
	p.rate = p.wanted(ebiten.DefaultTPS)
	p.limiter = pace.NewLimiter(pace.Options{Rate: p.rate, Late: pace.Slip})
	p.onHeld = p.waitHeld
	return p
}

// wanted returns the frames per second for a game with these ticks per second.
func (p *pacer) wanted(tps int) float64 {
	switch {
	case p.fixed > 0:
		return p.fixed
	case tps >= 30 && tps <= 240:
		return float64(tps)
	}
	return ebiten.DefaultTPS
}

// follow adapts the rate to the TPS and returns it.
func (p *pacer) follow(tps int) float64 {
	if want := p.wanted(tps); want != p.rate {
		p.rate = want
		p.limiter.SetRate(want) // valid, since check has seen it or wanted has chosen it
	}
	return p.rate
}

// wait waits here.
func (p *pacer) wait() { p.limiter.Wait(context.Background()) }

// hold begins to wait on the main thread, and reports whether it could. It returns when that thread has taken the call: otherwise
// Ebitengine's next one, in which it reads input, would often come first.
func (p *pacer) hold() bool {
	go p.waitOnMain()
	p.held = <-p.taken
	return p.held
}

// release returns when the wait that hold began has ended, and when that was.
func (p *pacer) release() clock.Instant {
	p.held = false
	return <-p.done
}

// waitOnMain is a goroutine of its own, since the call returns after the wait.
func (p *pacer) waitOnMain() {
	p.called = false
	if p.onMain(p.onHeld); p.called {
		p.done <- clock.NowOrdered()
	} else {
		p.taken <- false
	}
}

func (p *pacer) waitHeld() {
	p.called = true
	p.taken <- true
	p.wait()
}

func (p *pacer) close() { p.limiter.Close() }

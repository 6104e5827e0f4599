// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"errors"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

var (
	loop     = strobe.NewLoop("frame")
	zUpdate  = strobe.NewZone("update")
	zDraw    = strobe.NewZone("draw")
	zFinal   = strobe.NewZone("final screen")
	zPresent = strobe.NewZone("present")
	zWait    = strobe.NewWaitZone("wait")
)

const (
	sampled = 32               // one frame out of so many waits in Layout, so that present is measured
	tight   = time.Millisecond // a frame that leaves less time than this to wait is late
)

// A frames is a game that is measured. Ebitengine calls the methods of one frame in turn: Layout, Update, Draw, DrawFinalScreen. It
// may do so on another goroutine while the window is resized, but never on two at the same time.
type frames struct {
	game  ebiten.Game
	final ebiten.FinalScreenDrawer // nil if the game has none
	err   error                    // why the game cannot run
	key   ebiten.Key               // negative: none

	pacer   *pacer // nil if frames are not paced
	ticks   ticks
	overlay overlay
	history history

	lane  *strobe.Lane // for what Ebitengine does, since a goroutine's lane is only for that goroutine
	span  strobe.Span  // of present or wait
	count int
	late  bool          // the frame before had no time to wait
	begun clock.Instant // the frame
	drawn clock.Instant // its end, but for presenting; 0 until then
	turn  turn          // the frame so far
}

// Layout is called by Ebitengine, once at the beginning of each frame.
func (g *frames) Layout(width, height int) (int, int) {
	if g.game == nil {
		return width, height
	}
	g.begin()
	return g.game.Layout(width, height)
}

// begin ends the frame before, waits for the time of this one, and marks it.
func (g *frames) begin() {
	if g.err != nil {
		return
	}
	if g.count++; g.count == 1 {
		g.lane = strobe.NewLane("ebitengine")
		if g.pacer != nil && ebiten.IsVsyncEnabled() {
			ebiten.SetVsyncEnabled(false)
		}
	}
	g.ticks.show()
	g.wait()
	loop.Frame()
	now := clock.Now()
	if g.begun != 0 {
		g.turn.total = now.Sub(g.begun)
		g.history.add(g.turn)
	}
	g.begun, g.drawn, g.turn = now, 0, turn{present: -1}
}

// wait ends the span that present began, and returns when the frame is due.
func (g *frames) wait() {
	arrived := clock.Now()
	defer func() { g.span = strobe.Span{} }()
	if g.pacer != nil && g.pacer.held { // on the main thread, while Ebitengine was busy or waited for that thread
		g.late = arrived.Sub(g.pacer.release()) >= tight
		g.span.Exit()
		return
	}
	g.span.Exit()
	if g.drawn != 0 {
		g.turn.present = arrived.Sub(g.drawn)
	}
	if g.late = false; g.paced() {
		span := g.lane.Enter(zWait)
		g.pacer.wait()
		span.Exit()
		g.late = clock.Since(arrived) < tight
	}
}

// paced reports whether this package decides when a frame begins.
func (g *frames) paced() bool {
	//lint:ignore SA1019 games that still use this mode want frames when there is input
	return g.pacer != nil && ebiten.FPSMode() != ebiten.FPSModeVsyncOffMinimum
}

// Update is called by Ebitengine for each tick.
func (g *frames) Update() error {
	if g.err == nil && g.count == 0 {
		g.err = errors.New("strobeebiten: Update was called before Layout: if a type embeds what Wrap returned, its Layout and LayoutF must call those of the embedded game")
	}
	if g.err != nil {
		return g.err
	}
	if g.key >= 0 && inpututil.IsKeyJustPressed(g.key) {
		g.overlay.mode = g.overlay.mode.next()
	}
	start := clock.Now()
	err := g.update()
	g.turn.update += clock.Since(start)
	if err != nil {
		g.end()
	}
	return err
}

func (g *frames) update() error {
	defer zUpdate.Enter().Exit()
	return g.game.Update()
}

// Draw is called by Ebitengine once a frame.
func (g *frames) Draw(screen *ebiten.Image) {
	if g.err != nil {
		return
	}
	start := clock.Now()
	g.draw(screen)
	g.turn.draw += clock.Since(start)
	g.hide()
}

func (g *frames) draw(screen *ebiten.Image) {
	defer zDraw.Enter().Exit()
	g.game.Draw(screen)
}

// DrawFinalScreen is called by Ebitengine after Draw, but not if several frames in a row have drawn nothing.
func (g *frames) DrawFinalScreen(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	if g.final == nil {
		ebiten.DefaultDrawFinalScreen(screen, offscreen, geoM)
	} else {
		g.ticks.show()
		start := clock.Now()
		g.drawFinal(screen, offscreen, geoM)
		g.turn.draw += clock.Since(start)
		g.hide()
	}
	if g.err != nil || g.count == 0 {
		return
	}
	g.overlay.draw(screen, area(offscreen, geoM), &g.history, g.period())
	g.present()
}

func (g *frames) drawFinal(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	defer zFinal.Enter().Exit()
	g.final.DrawFinalScreen(screen, offscreen, geoM)
}

// present begins what is between this frame and the next. Nothing but the main thread can make Ebitengine wait before it reads
// input, and then nothing tells when it has presented the frame, so some frames wait in Layout.
func (g *frames) present() {
	g.drawn = clock.Now()
	measured := g.late || g.count%sampled == 0 || !g.ticks.hidden && ebiten.TPS() != ebiten.SyncWithFPS
	if g.paced() && !measured && g.pacer.hold() {
		g.span = g.lane.Enter(zWait)
	} else {
		g.span = g.lane.Enter(zPresent)
	}
}

// hide makes the next frame have one tick, if frames are paced at the rate of the ticks.
func (g *frames) hide() {
	if g.paced() {
		g.ticks.hide(g.pacer.follow(ebiten.TPS()))
	}
}

// period returns the time that a frame should take, or 0 if nothing says so.
func (g *frames) period() time.Duration {
	if !g.paced() {
		return 0
	}
	return time.Duration(float64(time.Second) / g.pacer.rate)
}

// end releases what the game has used.
func (g *frames) end() {
	if g.pacer != nil {
		g.pacer.close()
	}
	if g.lane != nil {
		g.lane.Close()
	}
}

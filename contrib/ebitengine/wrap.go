// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"errors"
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/strobe-go/strobe/pace"
)

// Options configure Wrap. The zero value paces the game at its own rate and shows no overlay until F3 is pressed.
type Options struct {
	// Rate is the number of frames per second, pace.MinRate to pace.MaxRate. Zero: the game's TPS, also if it changes; or 60, if the
	// TPS is below 30, above 240 or ebiten.SyncWithFPS. Negative: frames are not paced, vsync and TPS stay as the game sets them.
	Rate float64

	// Overlay is what is shown at the start. Zero: Off.
	Overlay Overlay

	// Key switches to the next overlay. Zero: ebiten.KeyF3, so ebiten.KeyA, which is zero, cannot be chosen. Negative: no key does.
	Key ebiten.Key
}

// Wrap returns a game for ebiten.RunGame that behaves as game does, and is measured and paced as the package comment describes.
// It has LayoutF if game has. If game or the options cannot be used, RunGame returns an error that says why.
func Wrap(game ebiten.Game, o Options) ebiten.Game {
	g := newFrames(game, o)
	if f, ok := game.(ebiten.LayoutFer); ok {
		return &fractional{g, f}
	}
	return g
}

func newFrames(game ebiten.Game, o Options) *frames {
	g := &frames{game: game, key: o.Key, err: check(game, o), overlay: overlay{mode: o.Overlay}}
	if g.key == 0 {
		g.key = ebiten.KeyF3
	}
	g.final, _ = game.(ebiten.FinalScreenDrawer)
	if g.err == nil && o.Rate >= 0 && canWait {
		g.pacer = newPacer(o.Rate, ebiten.RunOnMainThread)
	}
	return g
}

// A fractional is a game whose layout is not in whole pixels. Ebitengine asks for that by a method that other games must not have.
type fractional struct {
	*frames
	layouter ebiten.LayoutFer
}

// LayoutF is called by Ebitengine, once at the beginning of each frame.
func (f *fractional) LayoutF(width, height float64) (float64, float64) {
	f.begin()
	return f.layouter.LayoutF(width, height)
}

// check says what is wrong with the arguments of Wrap.
func check(game ebiten.Game, o Options) error {
	switch game.(type) {
	case nil:
		return errors.New("strobeebiten: Wrap was given no game: give it what was given to ebiten.RunGame before")
	case *frames, *fractional:
		return errors.New("strobeebiten: the game is already wrapped: call Wrap once")
	}
	if o.Overlay < Off || o.Overlay > Graph {
		return fmt.Errorf("strobeebiten: Options.Overlay is %d: use Off, Line or Graph", o.Overlay)
	}
	if o.Key > ebiten.KeyMax {
		return fmt.Errorf("strobeebiten: Options.Key is %d, which is no key of Ebitengine", o.Key)
	}
	if o.Rate < 0 {
		return nil
	}
	if err := (pace.Options{Rate: o.Rate}).Validate(); err != nil {
		return fmt.Errorf("strobeebiten: Options.Rate: %w", err)
	}
	return nil
}

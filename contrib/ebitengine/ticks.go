// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import "github.com/hajimehoshi/ebiten/v2"

// A ticks makes Ebitengine run one tick a frame, and shows the game the TPS that it has set: games compute with it.
type ticks struct {
	tps    int
	hidden bool
}

// hide takes the TPS away, at the end of a frame, if it is the rate of the frames.
func (t *ticks) hide(rate float64) {
	if tps := ebiten.TPS(); float64(tps) == rate {
		t.tps, t.hidden = tps, true
		ebiten.SetTPS(ebiten.SyncWithFPS)
	}
}

// show gives it back, at the beginning of the next frame, unless another goroutine has set one.
func (t *ticks) show() {
	if t.hidden && ebiten.TPS() == ebiten.SyncWithFPS {
		ebiten.SetTPS(t.tps)
	}
	t.hidden = false
}

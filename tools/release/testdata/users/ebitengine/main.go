// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"
	strobeebiten "github.com/strobe-go/strobe/contrib/ebitengine"
)

type game struct{}

func (game) Update() error              { return ebiten.Termination }
func (game) Draw(*ebiten.Image)         {}
func (game) Layout(w, h int) (int, int) { return w, h }

// A game needs a display, which a machine that makes releases may not have, so it only says what is wrong with it.
func main() {
	once := strobeebiten.Wrap(game{}, strobeebiten.Options{})
	fmt.Println(strobeebiten.Wrap(once, strobeebiten.Options{}).Update())
}

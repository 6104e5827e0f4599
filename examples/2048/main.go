// SPDX-License-Identifier: BSD-3-Clause

// Command 2048 plays Ebitengine's example of that name, measured and paced by strobe.
package main

import (
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	twenty48 "github.com/hajimehoshi/ebiten/v2/examples/2048/2048"

	strobeebiten "github.com/strobe-go/strobe/contrib/ebitengine"
	_ "github.com/strobe-go/strobe/live/auto" // serves the live page if STROBE_HTTP says where
)

func main() {
	game, err := twenty48.NewGame()
	if err != nil {
		log.Fatal(err)
	}
	ebiten.SetWindowTitle("2048")
	ebiten.SetWindowSize(twenty48.ScreenWidth, twenty48.ScreenHeight)
	if err := ebiten.RunGame(strobeebiten.Wrap(game, strobeebiten.Options{})); err != nil {
		log.Fatal(err)
	}
}

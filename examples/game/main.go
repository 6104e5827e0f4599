// SPDX-License-Identifier: BSD-3-Clause

// Command game imitates a game whose loop belongs to an engine, such as Ebitengine, and writes its recording for strobe
// frames.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/pace"
)

var zUpdate, zDraw = strobe.NewZone("update"), strobe.NewZone("draw")

// A game has the methods that engines call. Ebitengine's Draw also gets the screen.
type game struct {
	frames int           // frames still to draw
	work   time.Duration // duration of Update
}

var errDone = errors.New("done") // ebiten.Termination

func (g *game) Update() error {
	defer zUpdate.Enter().Exit()
	for start := time.Now(); time.Since(start) < g.work; {
	}
	if g.frames--; g.frames < 0 {
		return errDone
	}
	return nil
}

func (g *game) Draw() {
	strobe.Frame("draw") // once per frame, always at the same place
	defer zDraw.Enter().Exit()
}

// run does what ebiten.RunGame does: it calls the game's methods until Update returns an error.
func run(g *game) error {
	limiter := pace.NewLimiter(pace.Options{Rate: 500})
	for {
		if err := limiter.Wait(context.Background()); err != nil {
			return err
		}
		if err := g.Update(); err != nil {
			return err
		}
		g.Draw()
	}
}

// write writes the timeline to a file.
func write(name string) error {
	text, err := json.Marshal(strobe.TakeTimeline())
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

func main() {
	frames := flag.Int("frames", 200, "how many frames to draw")
	work := flag.Duration("work", 100*time.Microsecond, "how long Update takes")
	out := flag.String("o", "run.json", "the file to write")
	flag.Parse()

	strobe.Record(16 << 20)
	err := run(&game{frames: *frames, work: *work})
	if !errors.Is(err, errDone) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

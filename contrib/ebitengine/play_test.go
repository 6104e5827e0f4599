// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	twenty48 "github.com/hajimehoshi/ebiten/v2/examples/2048/2048"
	"github.com/hajimehoshi/ebiten/v2/examples/blocks/blocks"

	"github.com/strobe-go/strobe"
)

const playVariable = "STROBEEBITEN_PLAY"

// A spec says what a process plays.
type spec struct {
	Game     string // of Ebitengine: blocks, 2048; or picture, fractional, final, both
	Bare     bool   // it is not wrapped
	Options  Options
	Time     time.Duration // after so long it ends; 0: never
	Fails    string        // what Update does then: error, panic, or nothing unusual
	Patient  bool          // the game pauses while it has no focus
	Single   bool          // Ebitengine uses one thread
	SlowDraw int           // Draw takes two periods in one frame out of so many
}

// A played is what the process has found out when its game has ended.
type played struct {
	Error   string
	Frames  int           // from the second on
	Took    time.Duration // these
	Used    time.Duration // processor time, in the meantime
	Updates int           // of all frames: the first may have several
	One     int           // frames with one update, of those counted
	TPS     []int         // that Update saw, one after another
	Spin    float64       // share of the time
	Turns   uint64        // of the loop that strobe knows
	Calls   map[string]uint64
	Misused uint64    // spans
	Periods []float64 // milliseconds from an update to the next, in the order of frames
	Lags    []float64 // milliseconds from the update to the end of Draw
	Seen    []int64   // when Draw had drawn a pressed key, for the first time after each press; Unix nanoseconds
}

// A player is the game of such a process. It counts what happens in its methods.
type player struct {
	ebiten.Game
	spec
	out     played
	updates int
	updated time.Time
	down    bool // the key, in the latest update
	seen    bool // and a frame with it
	first   time.Time
	used    time.Duration
}

var errOver = errors.New("the game is over")

func (p *player) Update() error {
	now := time.Now()
	p.out.Updates++
	if p.updates++; !p.updated.IsZero() {
		p.out.Periods = append(p.out.Periods, now.Sub(p.updated).Seconds()*1e3)
	}
	p.updated = now
	if tps := ebiten.TPS(); len(p.out.TPS) == 0 || p.out.TPS[len(p.out.TPS)-1] != tps {
		p.out.TPS = append(p.out.TPS, tps)
	}
	p.down = ebiten.IsKeyPressed(ebiten.KeyF9)
	if p.Time > 0 && !p.first.IsZero() && now.Sub(p.first) >= p.Time {
		p.out.Took, p.out.Used = now.Sub(p.first), processorTime()-p.used
		switch p.Fails {
		case "error":
			return fmt.Errorf("level 7: %w", errOver)
		case "panic":
			panic("level 8")
		}
		return ebiten.Termination
	}
	return p.Game.Update()
}

func (p *player) Draw(screen *ebiten.Image) {
	p.Game.Draw(screen)
	if p.first.IsZero() {
		p.first, p.used = time.Now(), processorTime()
		fmt.Println("drawn")
	} else {
		p.out.Frames++
		if p.updates == 1 {
			p.out.One++
		}
	}
	p.updates = 0
	p.out.Lags = append(p.out.Lags, time.Since(p.updated).Seconds()*1e3)
	if p.SlowDraw > 0 && p.out.Frames%p.SlowDraw == 0 {
		time.Sleep(time.Second / 30)
	}
	if p.down && !p.seen {
		p.out.Seen = append(p.out.Seen, time.Now().UnixNano())
	}
	p.seen = p.down
}

// The four shapes that a game of Ebitengine may have.
type (
	withLayoutF struct{ *player }
	withFinal   struct{ *player }
	withBoth    struct {
		withLayoutF
		withFinal2
	}
	withFinal2 struct{}
)

func (withLayoutF) LayoutF(w, h float64) (float64, float64) { return w / 2, h / 2 }
func (withFinal) DrawFinalScreen(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	drawFinal(screen, offscreen, geoM)
}
func (withFinal2) DrawFinalScreen(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	drawFinal(screen, offscreen, geoM)
}

// drawFinal draws what the default does not: the picture mirrored.
func drawFinal(screen ebiten.FinalScreen, offscreen *ebiten.Image, geoM ebiten.GeoM) {
	var op ebiten.DrawImageOptions
	op.GeoM.Scale(-1, 1)
	op.GeoM.Translate(float64(offscreen.Bounds().Dx()), 0)
	op.GeoM.Concat(geoM)
	screen.DrawImage(offscreen, &op)
}

// A picture is a game that shows a picture, in which no two columns and no two rows are equal.
type picture struct{ image *ebiten.Image }

const side = 200 // its window has twice as many pixels

func newPicture() *picture {
	pixels := make([]byte, 4*side*side)
	for i := range side * side {
		x, y := i%side, i/side
		copy(pixels[4*i:], []byte{byte(x), byte(y), byte(x*y) | 1, 0xff})
	}
	p := &picture{ebiten.NewImage(side, side)}
	p.image.WritePixels(pixels)
	return p
}

func (p *picture) Update() error              { return nil }
func (p *picture) Draw(screen *ebiten.Image)  { screen.DrawImage(p.image, nil) }
func (p *picture) Layout(_, _ int) (int, int) { return side, side }

// play is what such a process does. It prints "drawn" after the first frame and then what it has to say, and returns the exit code.
func play(text string) int {
	p := &player{}
	if err := json.Unmarshal([]byte(text), &p.spec); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var game ebiten.Game = p
	wide, high := 2*side, 2*side
	switch p.spec.Game {
	case "blocks":
		p.Game = &blocks.Game{}
		wide, high = blocks.ScreenWidth*2, blocks.ScreenHeight*2
	case "2048":
		g, err := twenty48.NewGame()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		p.Game = g
		wide, high = twenty48.ScreenWidth, twenty48.ScreenHeight
	default:
		p.Game = newPicture()
		switch p.spec.Game {
		case "fractional":
			game = withLayoutF{p}
		case "final":
			game = withFinal{p}
		case "both":
			game = withBoth{withLayoutF: withLayoutF{p}}
		}
	}
	var pacer *pacer
	if !p.Bare {
		game = Wrap(game, p.Options)
		switch g := game.(type) {
		case *frames:
			pacer = g.pacer
		case *fractional:
			pacer = g.pacer
		}
	}
	ebiten.SetWindowSize(wide, high)
	ebiten.SetRunnableOnUnfocused(!p.Patient)
	if err := ebiten.RunGameWithOptions(game, &ebiten.RunGameOptions{SingleThread: p.Single}); err != nil {
		p.out.Error = err.Error()
	}
	if pacer != nil {
		p.out.Spin = pacer.limiter.Stats().SpinShare
	}
	s := strobe.TakeSnapshot()
	p.out.Calls = map[string]uint64{}
	for i, z := range s.Totals() {
		p.out.Calls[s.Zones[i].Name] = z.Calls
	}
	for _, f := range s.Frames {
		p.out.Turns += f.Turns
	}
	p.out.Misused = s.EndedTwice + s.EndedElsewhere + s.EndedEarly + s.Abandoned
	json.NewEncoder(os.Stdout).Encode(p.out)
	return 0
}

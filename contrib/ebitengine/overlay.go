// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"image"
	"image/color"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/strobe-go/strobe/clock"
)

// Overlay is what is shown over the game.
type Overlay int

const (
	Off   Overlay = iota // nothing
	Line                 // frames per second, and the longest frame of the latest second
	Graph                // also the parts of a frame, and a bar for each of the latest frames
)

// String returns the overlay's name in lower case.
func (o Overlay) String() string {
	switch o {
	case Off:
		return "off"
	case Line:
		return "line"
	case Graph:
		return "graph"
	}
	return "unknown"
}

func (o Overlay) next() Overlay { return (o + 1) % (Graph + 1) }

// The size of the overlay, in pixels of its own: rows of text, and the graph, whose height is two periods.
const (
	width  = 280 // a pixel for each frame, and room for the text
	row    = 14
	graph  = 48
	height = 2*row + graph
)

const (
	refresh = 250 * time.Millisecond // of the text: no one can read faster
	usual   = time.Second / 60       // the period, if nothing says how long a frame should take
)

var (
	behind  = color.RGBA{0, 0, 0, 0xc0} // colours are premultiplied
	text    = color.RGBA{0xff, 0xff, 0xff, 0xff}
	inTime  = color.RGBA{0x58, 0x68, 0x78, 0xff}
	tooLong = color.RGBA{0xe0, 0x50, 0x40, 0xff}
	work    = color.RGBA{0x60, 0xb0, 0xf0, 0xff}
	due     = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// An overlay draws itself into an image of fixed size, which is then put onto the screen. While it is off it does nothing.
type overlay struct {
	mode   Overlay
	pixels *image.RGBA   // nil until it is needed
	image  *ebiten.Image // has the pixels
	texted clock.Instant // when the text was written
	texts  Overlay       // what it was written for
}

// draw puts the overlay over the upper left corner of where the game is on the screen, and not beyond that.
func (o *overlay) draw(screen ebiten.FinalScreen, where image.Rectangle, h *history, period time.Duration) {
	if o.mode == Off {
		return
	}
	if o.image == nil {
		o.image = ebiten.NewImage(width, height)
	}
	if o.paint(h, period, clock.Now()) {
		o.image.WritePixels(o.pixels.Pix)
	}
	scale := max(1, screen.Bounds().Dy()/720)
	visible := image.Rect(0, 0, min(width, where.Dx()/scale), min(o.mode.height(), where.Dy()/scale))
	if visible.Empty() {
		return
	}
	var op ebiten.DrawImageOptions
	op.GeoM.Scale(float64(scale), float64(scale))
	op.GeoM.Translate(float64(where.Min.X), float64(where.Min.Y))
	screen.DrawImage(o.image.SubImage(visible).(*ebiten.Image), &op)
}

func (o Overlay) height() int {
	if o == Line {
		return row
	}
	return height
}

// area returns where DrawFinalScreen puts the image of the game.
func area(offscreen *ebiten.Image, geoM ebiten.GeoM) image.Rectangle {
	x0, y0 := geoM.Apply(0, 0)
	x1, y1 := geoM.Apply(float64(offscreen.Bounds().Dx()), float64(offscreen.Bounds().Dy()))
	return image.Rect(int(math.Ceil(x0)), int(math.Ceil(y0)), int(math.Floor(x1)), int(math.Floor(y1)))
}

// paint updates the pixels, and reports whether any may have changed.
func (o *overlay) paint(h *history, period time.Duration, now clock.Instant) bool {
	if o.pixels == nil {
		o.pixels = image.NewRGBA(image.Rect(0, 0, width, height))
	}
	stale := o.texts != o.mode || now.Sub(o.texted) >= refresh
	if stale {
		o.texts, o.texted = o.mode, now
		first, second := h.lines()
		o.fill(0, 0, width, height, behind)
		o.write(first, 1)
		o.write(second, 2)
	}
	if o.mode == Graph {
		o.bars(h, period)
	}
	return stale || o.mode == Graph
}

func (o *overlay) fill(x0, y0, x1, y1 int, c color.RGBA) {
	for y := y0; y < y1; y++ {
		line := o.pixels.Pix[4*(y*width+x0) : 4*(y*width+x1)]
		for ; len(line) > 0; line = line[4:] {
			line[0], line[1], line[2], line[3] = c.R, c.G, c.B, c.A
		}
	}
}

func (o *overlay) write(s string, line int) {
	d := font.Drawer{Dst: o.pixels, Src: image.NewUniform(text), Face: basicfont.Face7x13, Dot: fixed.P(2, line*row-3)}
	d.DrawString(s)
}

// bars draws a bar for each frame, the latest at the right: how long it took and, below in another colour, how long the program
// worked, as far as that was measured. A line is where bars of frames in time end.
func (o *overlay) bars(h *history, period time.Duration) {
	if period <= 0 {
		period = usual
	}
	pixels := func(d time.Duration) int { return int(min(max(d, 0)*(graph/2)/period, graph)) }
	o.fill(0, height-graph, width, height, behind)
	for i := range h.n {
		t, x, c := h.back(i), width-1-i, inTime
		if t.total > period*3/2 {
			c = tooLong
		}
		o.fill(x, height-pixels(t.total), x+1, height, c)
		o.fill(x, height-pixels(t.update+t.draw+max(t.present, 0)), x+1, height, work)
	}
	o.fill(0, height-graph/2-1, width, height-graph/2, due)
}

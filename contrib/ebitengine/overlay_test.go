// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"

	"github.com/strobe-go/strobe/clock"
)

const milli = time.Millisecond

func history60(n int, last ...turn) *history {
	h := &history{}
	for range n {
		h.add(turn{total: 16 * milli, update: milli, draw: 2 * milli, present: -1})
	}
	for _, t := range last {
		h.add(t)
	}
	return h
}

func TestTheTextSaysWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		h             *history
		first, second string
	}{
		{&history{}, "no frame yet", ""},
		{history60(10), "62.5 FPS, longest 16.0 ms", "update 1.0, draw 2.0 ms"}, // present is unknown, not 0
		{history60(3, turn{16 * milli, milli, 2 * milli, 4 * milli}), "62.5 FPS, longest 16.0 ms", "update 1.0, draw 2.0, present 4.0 ms"},
		{history60(1000, turn{250 * milli, 0, 0, -1}), "47.9 FPS, longest 250.0 ms", "update 1.0, draw 2.0 ms"},
		{history60(0, turn{2000 * milli, 0, 0, 0}, turn{500 * milli, 0, 0, 0}, turn{500 * milli, 0, 0, 0}), "2.0 FPS, longest 500.0 ms", "update 0.0, draw 0.0, present 0.0 ms"},
	} {
		if first, second := c.h.lines(); first != c.first || second != c.second {
			t.Errorf("the text is %q, %q; want %q, %q", first, second, c.first, c.second)
		}
	}
}

func TestTheTextFits(t *testing.T) {
	slow := 99 * milli
	first, second := history60(0, turn{total: 9999 * milli, update: slow, draw: slow, present: slow}).lines()
	for _, line := range []string{first, second} {
		if w := font.MeasureString(basicfont.Face7x13, line).Ceil() + 2; w > width {
			t.Errorf("%q takes %d pixels of %d", line, w, width)
		}
	}
}

// column returns the colours of a column of the graph from the bottom up, as one letter for each pixel.
func column(o *overlay, x int) string {
	names := map[color.RGBA]string{behind: ".", inTime: "t", tooLong: "L", work: "w", due: "-"}
	var s strings.Builder
	for y := height - 1; y >= height-graph; y-- {
		s.WriteString(names[o.pixels.RGBAAt(x, y)])
	}
	return s.String()
}

func TestABarHasTheHeightOfItsFrame(t *testing.T) {
	period := 24 * milli // a pixel is a millisecond
	h := history60(0,
		turn{20 * milli, 3 * milli, 2 * milli, -1},
		turn{24 * milli, 3 * milli, 2 * milli, 6 * milli},
		turn{40 * milli, 30 * milli, 0, -1},
		turn{900 * milli, 0, 0, 800 * milli},
	)
	o := &overlay{mode: Graph}
	o.paint(h, period, 1)
	dots := func(s string, n int) string { return strings.Repeat(s, n) }
	for i, want := range []string{
		"",
		dots("w", 5) + dots("t", 15) + dots(".", 4) + "-" + dots(".", 23),
		dots("w", 11) + dots("t", 13) + "-" + dots(".", 23),
		dots("w", 24) + "-" + dots("w", 5) + dots("L", 10) + dots(".", 8),
		dots("w", 24) + "-" + dots("w", 23),
	} {
		if want == "" {
			want = dots(".", 24) + "-" + dots(".", 23)
		}
		if got := column(o, width-5+i); got != want {
			t.Errorf("bar %d is\n%s, want\n%s", i, got, want)
		}
	}
}

// Frames cost the same however long the game runs, and the text changes so seldom that it can be read.
func TestTheOverlayHasABound(t *testing.T) {
	h, o := history60(5*width), &overlay{mode: Line}
	if h.n != width {
		t.Errorf("%d frames are kept", h.n)
	}
	start := clock.Instant(time.Hour)
	if !o.paint(h, 0, start) || o.paint(h, 0, start.Add(refresh-1)) || !o.paint(h, 0, start.Add(refresh)) {
		t.Error("a line is not painted once in a quarter of a second")
	}
	o.mode = Graph
	o.paint(h, 0, start)
	if n := testing.AllocsPerRun(100, func() { o.paint(h, 0, start) }); n != 0 {
		t.Errorf("painting a graph allocates %v times", n)
	}
}

func BenchmarkPaint(b *testing.B) {
	for _, mode := range []Overlay{Line, Graph} {
		b.Run(mode.String(), func(b *testing.B) {
			h, o, now := history60(width), &overlay{mode: mode}, clock.Instant(time.Hour)
			for b.Loop() {
				o.paint(h, 0, now)
				now = now.Add(time.Second / 60)
			}
		})
	}
}

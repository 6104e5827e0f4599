// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write the pictures of the live page in docs/")

const (
	docs  = "../../../docs/"
	still = docs + "live.png"
	moves = docs + "slow.gif"
	wide  = 1240
	high  = 816
)

// TestThePicturesOfTheDocs takes the pictures with -update, and checks the existing ones.
func TestThePicturesOfTheDocs(t *testing.T) {
	if *update {
		take(t)
	}
	data := picture(t, still, 150_000)
	if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != wide {
		t.Errorf("%s: %+v, %v", still, c, err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(picture(t, moves, 900_000)))
	if err != nil || g.Config.Width != wide || len(g.Image) < 10 {
		t.Fatalf("%s: %v", moves, err)
	}
	if lasts := sum(g.Delay); lasts < 500 || lasts > 2000 { // in hundredths of a second
		t.Errorf("%s takes %d ms", moves, 10*lasts)
	}
}

func sum(all []int) (s int) {
	for _, n := range all {
		s += n
	}
	return s
}

// picture reads a picture of at most some bytes.
func picture(t *testing.T, name string, most int) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v\nremedy: go test -run Picture -update", err)
	}
	if len(data) > most {
		t.Errorf("%s: %d bytes", name, len(data))
	}
	return data
}

// take finds a slow frame in two clicks, and writes pictures of that.
func take(t *testing.T) {
	const frame = 900 // after the page has been quiet for a while
	address, _ := run(t, build(t), "127.0.0.1:0", frame, "58ms")
	p := watch(t, fresh(t), address, wide, high, "light")
	worst := fmt.Sprintf(`document.querySelector('#worst [data-frame="%d"]')`, frame)
	p.until(t, worst+` !== null`)
	m := &movie{at: image.Pt(700, 640)}
	m.film(t, p, 1600*time.Millisecond)
	m.click(t, p, eval[box](t, p, worst+`.getBoundingClientRect().toJSON()`), 0.5, 0.5)
	p.timeline(t, fmt.Sprintf("frame %d", frame))
	eval[chromedp.Void](t, p, `scrollTo(0, 0)`)
	p.settle(t)
	m.add(p.shot(t), 3*time.Second)
	if err := os.WriteFile(still, encode(t, indexed(p.shot(t), image.Rect(0, 0, wide, high), 256)), 0o666); err != nil {
		t.Fatal(err)
	}
	b := eval[box](t, p, `document.getElementById("timeline-lanes").getBoundingClientRect().toJSON()`)
	m.click(t, p, b, 0.5, (firstRow+2*rowHeight)/b.Height)
	p.until(t, `document.querySelector('#zones tr.on')?.textContent.startsWith("path")`)
	p.settle(t)
	m.add(p.shot(t), 5*time.Second)
	p.quiet(t)
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &m.gif); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(moves, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// shot returns what the page shows.
func (p *page) shot(t *testing.T) image.Image {
	t.Helper()
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// indexed returns a part of a picture with its most frequent colours, at most n; others become the nearest of these.
func indexed(m image.Image, part image.Rectangle, n int) *image.Paletted {
	count := map[color.Color]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			count[color.RGBAModel.Convert(m.At(x, y))]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	out := image.NewPaletted(part, colours[:min(n, len(colours))])
	draw.Draw(out, part, m, part.Min, draw.Src)
	return out
}

// A movie is a moving picture of the page, with a pointer that shows where it is clicked.
type movie struct {
	gif   gif.GIF
	shown *image.RGBA
	at    image.Point // of the pointer
}

// add shows the page for some time. A picture holds only what has changed since the one before.
func (m *movie) add(page image.Image, hold time.Duration) {
	now := image.NewRGBA(page.Bounds())
	draw.Draw(now, now.Rect, page, now.Rect.Min, draw.Src)
	for y, row := range pointer {
		for x, c := range row {
			switch c {
			case '#':
				now.Set(m.at.X+x, m.at.Y+y, color.Black)
			case '.':
				now.Set(m.at.X+x, m.at.Y+y, color.White)
			}
		}
	}
	part := now.Rect
	if m.shown != nil {
		part = changed(m.shown, now)
	}
	m.shown = now
	delay := int(hold / (10 * time.Millisecond))
	if part.Empty() {
		m.gif.Delay[len(m.gif.Delay)-1] += delay
		return
	}
	m.gif.Image, m.gif.Delay = append(m.gif.Image, indexed(now, part, 48)), append(m.gif.Delay, delay)
}

// changed returns the smallest rectangle outside which two pictures of one size are the same.
func changed(a, b *image.RGBA) (r image.Rectangle) {
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		for x := a.Rect.Min.X; x < a.Rect.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// film shows the page as it changes.
func (m *movie) film(t *testing.T, p *page, length time.Duration) {
	const step = 400 * time.Millisecond
	for begin := time.Now(); time.Since(begin) < length; {
		next := time.Now().Add(step)
		m.add(p.shot(t), step)
		time.Sleep(time.Until(next))
	}
}

// click moves the pointer to a place in a box and clicks there.
func (m *movie) click(t *testing.T, p *page, b box, right, down float64) {
	x, y := b.X+right*b.Width, b.Y+down*b.Height
	const steps = 3
	from, to := m.at, image.Pt(int(x), int(y))
	for i := 1; i <= steps; i++ {
		m.at = from.Add(to.Sub(from).Mul(i).Div(steps))
		p.do(t, chromedp.MouseEvent(chromedp.MouseMoved, float64(m.at.X), float64(m.at.Y)))
		p.settle(t)
		m.add(p.shot(t), 200*time.Millisecond)
	}
	m.add(p.shot(t), 600*time.Millisecond)
	p.do(t, chromedp.MouseClickXY(x, y))
	p.settle(t)
}

// pointer is the usual arrow: # is black, . is white.
var pointer = [...]string{
	"#",
	"##",
	"#.#",
	"#..#",
	"#...#",
	"#....#",
	"#.....#",
	"#......#",
	"#.......#",
	"#........#",
	"#.........#",
	"#......####",
	"#...#..#",
	"#..##...#",
	"#.#  #..#",
	"##   #..#",
	"#     #..#",
	"      ####",
}

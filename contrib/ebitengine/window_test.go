// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
)

// corner returns the smallest rectangle with all pixels in which two pictures differ.
func corner(a, b *image.RGBA) (r image.Rectangle) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func same(want *image.RGBA) func(*image.RGBA) bool {
	return func(m *image.RGBA) bool { return m.Bounds() == want.Bounds() && bytes.Equal(m.Pix, want.Pix) }
}

// The pictures are what the X server shows. Each shape of a game shows its own when it is not wrapped, and the same when it is.
func TestTheOverlayIsExactlyWhereItShouldBe(t *testing.T) {
	d := screen(t)
	pictures := map[string]*image.RGBA{}
	for _, shape := range []string{"picture", "fractional", "final", "both"} {
		bare := d.start(t, spec{Game: shape, Bare: true})
		var before *image.RGBA
		want := d.shows(t, "a picture", func(m *image.RGBA) bool { // that stays: the first may be black, or of another size
			still := before != nil && same(before)(m) && m.RGBAAt(200, 200) != m.RGBAAt(0, 0) && m.Bounds().Dx() == 2*side
			before = m
			return still
		})
		bare.kill()
		for other, m := range pictures {
			if (shape == "picture") != (other == "fractional") && same(m)(want) {
				t.Errorf("a game of shape %s looks like one of shape %s, so that this test sees nothing", shape, other)
			}
		}
		pictures[shape] = want

		wrapped := d.start(t, spec{Game: shape})
		d.shows(t, "the bare game's picture", same(want))
		if shape != "both" {
			wrapped.kill()
			continue
		}
		for _, mode := range []Overlay{Line, Graph} {
			d.press(t, symF3, 50*time.Millisecond)
			where := image.Rect(0, 0, width, mode.height())
			d.shows(t, mode.String(), func(m *image.RGBA) bool { return corner(m, want) == where })
		}
		d.press(t, symF3, 50*time.Millisecond)
		d.shows(t, "the bare game's picture again", same(want))
	}
}

// How long frames take depends on the machine, but not that each has one update, or that they are not too many.
func TestAFrameHasOneUpdateAndItsZones(t *testing.T) {
	d := screen(t)
	for _, s := range []spec{
		{Game: "picture"},
		{Game: "picture", Single: true},
		{Game: "picture", SlowDraw: 10},
		{Game: "2048", Options: Options{Rate: 60, Overlay: Graph}},
	} {
		var out played
		for _, s.Time = range []time.Duration{700 * time.Millisecond, 7 * time.Second, 30 * time.Second} { // a busy machine may draw nothing in the first
			if out = d.start(t, s).ended(t); out.Frames >= 2 {
				break
			}
		}
		if out.Error != "" || out.Frames < 2 || out.One != out.Frames {
			t.Errorf("%+v: %d of %d frames have one update; error %q", s, out.One, out.Frames, out.Error)
		}
		if most := 60*out.Took.Seconds() + 2; float64(out.Frames) > most {
			t.Errorf("%+v: %d frames in %v, at most %.0f are due", s, out.Frames, out.Took, most)
		}
		if !slices.Equal(out.TPS, []int{60}) {
			t.Errorf("%+v: the game saw the TPS %v", s, out.TPS)
		}
		frames := uint64(out.Frames) + 2 // the first, and the last, in which Update ends the game
		if c := out.Calls; out.Turns != frames || c["update"] != uint64(out.Updates) || c["draw"] != frames-1 || c["present"] == 0 || c["wait"] < frames-2 || out.Misused != 0 {
			t.Errorf("%+v: of %d frames strobe knows %d turns and the calls %v; %d spans were misused", s, frames, out.Turns, c, out.Misused)
		}
	}
}

func TestWithoutPacingTheGameKeepsItsTicks(t *testing.T) {
	out := screen(t).start(t, spec{Game: "picture", Options: Options{Rate: -1}, Time: 500 * time.Millisecond}).ended(t)
	if !slices.Equal(out.TPS, []int{60}) || out.Calls["wait"] != 0 || out.Calls["present"] < uint64(out.Frames) {
		t.Errorf("%d frames, TPS %v, calls %v", out.Frames, out.TPS, out.Calls)
	}
}

func TestAGameEndsAsItWouldWithoutWrap(t *testing.T) {
	d := screen(t)
	if out := d.start(t, spec{Game: "picture", Time: 50 * time.Millisecond, Fails: "error"}).ended(t); out.Error != "level 7: the game is over" {
		t.Errorf("RunGame returned %q", out.Error)
	}

	p := d.start(t, spec{Game: "picture", Time: 50 * time.Millisecond, Fails: "panic"})
	if err := p.cmd.Wait(); err == nil || !strings.Contains(p.errors.String(), "panic: level 8") {
		t.Errorf("after a panic, the process ended with %v and printed:\n%s", err, p.errors.String())
	}

	p = d.start(t, spec{Game: "picture"})
	d.close(t)
	if out := p.ended(t); out.Error != "" {
		t.Errorf("after the window was closed, RunGame returned %q", out.Error)
	}
}

// close asks the game to close its window, as a window manager does.
func (d *display) close(t *testing.T) {
	t.Helper()
	atom := func(name string) xproto.Atom {
		r, err := xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			t.Fatal(err)
		}
		return r.Atom
	}
	d.shows(t, "anything", func(m *image.RGBA) bool { return true })
	w := d.window(t)
	event := xproto.ClientMessageEvent{Format: 32, Window: w, Type: atom("WM_PROTOCOLS"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(atom("WM_DELETE_WINDOW")), 0, 0, 0, 0})}
	if err := xproto.SendEventChecked(d.conn, false, w, 0, string(event.Bytes())).Check(); err != nil {
		t.Fatal(err)
	}
}

// A window that nobody sees, or that has no focus, must neither stop the pacing nor make the game hurry afterwards.
func TestAHiddenGameKeepsItsPace(t *testing.T) {
	d := screen(t)
	p := d.start(t, spec{Game: "picture", Time: 1500 * time.Millisecond})
	d.grab(t)
	w := d.window(t)
	for _, step := range []func() error{
		xproto.SetInputFocusChecked(d.conn, xproto.InputFocusPointerRoot, d.screen.Root, 0).Check,
		xproto.UnmapWindowChecked(d.conn, w).Check,
		xproto.MapWindowChecked(d.conn, w).Check,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	out := p.ended(t)
	if out.One != out.Frames || float64(out.Frames) > 60*out.Took.Seconds()+2 || out.Error != "" {
		t.Errorf("%d of %d frames in %v have one update; error %q", out.One, out.Frames, out.Took, out.Error)
	}
}

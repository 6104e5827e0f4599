// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// A silent is a game of the usual shape. Others of the tests are made of it.
type silent struct {
	layouts, updates, draws int
	fails                   error
}

func (s *silent) Layout(w, h int) (int, int) { s.layouts++; return w + 1, h + 2 }
func (s *silent) Update() error              { s.updates++; return s.fails }
func (s *silent) Draw(*ebiten.Image)         { s.draws++ }

type silentF struct{ *silent }

func (silentF) LayoutF(w, h float64) (float64, float64) { return w / 3, h / 3 }

type silentFinal struct {
	*silent
	finals int
}

func (s *silentFinal) DrawFinalScreen(ebiten.FinalScreen, *ebiten.Image, ebiten.GeoM) { s.finals++ }

type silentBoth struct {
	silentF
	*silentFinal
}

func (s silentBoth) Layout(w, h int) (int, int) { return s.silentF.Layout(w, h) }
func (s silentBoth) Update() error              { return s.silentF.Update() }
func (s silentBoth) Draw(m *ebiten.Image)       { s.silentF.Draw(m) }

// Ebitengine asks for LayoutF and never calls Layout if there is one, so a wrapped game must have it exactly if the game has.
func TestEveryShapeIsKept(t *testing.T) {
	plain := &silent{}
	final := &silentFinal{silent: &silent{}}
	for name, game := range map[string]ebiten.Game{
		"plain": plain, "LayoutF": silentF{plain}, "DrawFinalScreen": final, "both": silentBoth{silentF{plain}, final},
	} {
		wrapped := Wrap(game, Options{Rate: -1})
		_, want := game.(ebiten.LayoutFer)
		f, has := wrapped.(ebiten.LayoutFer)
		if has != want {
			t.Errorf("%s: wrapped, it has LayoutF: %v", name, has)
		}
		if has {
			if w, h := f.LayoutF(10.5, 21); w != 3.5 || h != 7 {
				t.Errorf("%s: LayoutF returns %v, %v", name, w, h)
			}
		} else if w, h := wrapped.Layout(10, 20); w != 11 || h != 22 {
			t.Errorf("%s: Layout returns %v, %v", name, w, h)
		}
		if err := wrapped.Update(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		image, onto := ebiten.NewImage(4, 4), ebiten.NewImage(4, 4)
		wrapped.Draw(image)
		before := final.finals
		wrapped.(ebiten.FinalScreenDrawer).DrawFinalScreen(onto, image, ebiten.GeoM{})
		_, draws := game.(ebiten.FinalScreenDrawer)
		if (final.finals == before+1) != draws {
			t.Errorf("%s: its DrawFinalScreen was called %d times", name, final.finals-before)
		}
	}
	if plain.updates != 3 || plain.draws != 3 || final.updates != 1 || final.draws != 1 {
		t.Errorf("calls of Update and Draw: %+v, %+v", *plain, *final.silent)
	}
}

func TestAnErrorOfTheGameIsReturnedAsItIs(t *testing.T) {
	for _, want := range []error{ebiten.Termination, errors.New("lost")} {
		g := Wrap(&silent{fails: want}, Options{})
		g.Layout(1, 1)
		if err := g.Update(); err != want {
			t.Errorf("Update returns %v instead of %v", err, want)
		}
	}
}

func TestWhatCannotRunSaysWhy(t *testing.T) {
	for _, c := range []struct {
		game ebiten.Game
		o    Options
		says string
	}{
		{nil, Options{}, "was given no game"},
		{Wrap(&silent{}, Options{}), Options{}, "already wrapped"},
		{Wrap(silentF{&silent{}}, Options{}), Options{}, "already wrapped"},
		{&silent{}, Options{Rate: math.NaN()}, "Options.Rate"},
		{&silent{}, Options{Rate: 1e9}, "Options.Rate"},
		{&silent{}, Options{Overlay: 7}, "use Off, Line or Graph"},
		{&silent{}, Options{Overlay: -1}, "use Off, Line or Graph"},
		{&silent{}, Options{Key: 9999}, "no key"},
	} {
		g := Wrap(c.game, c.o)
		if w, h := g.Layout(3, 4); w <= 0 || h <= 0 {
			t.Errorf("Layout returns %d, %d: Ebitengine would panic", w, h)
		}
		if err := g.Update(); err == nil || !strings.HasPrefix(err.Error(), "strobeebiten: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: Update returns %v", c.o, err)
		}
	}
}

// An outer type that forgets to call the inner Layout would run unpaced and unmeasured.
func TestALayoutThatIsNeverCalledIsAnError(t *testing.T) {
	if err := Wrap(&silent{}, Options{}).Update(); err == nil || !strings.Contains(err.Error(), "Layout") {
		t.Errorf("Update without Layout returns %v", err)
	}
}

func TestTheGameSeesItsOwnTPS(t *testing.T) {
	defer ebiten.SetTPS(ebiten.TPS())
	var ticks ticks
	for _, c := range []struct {
		set, rate, hidden, shown int
	}{
		{60, 60, ebiten.SyncWithFPS, 60},
		{50, 60, 50, 50}, // another rate: Ebitengine decides how many ticks a frame has
		{0, 60, 0, 0},    // the game stands still
		{ebiten.SyncWithFPS, 60, ebiten.SyncWithFPS, ebiten.SyncWithFPS},
	} {
		ebiten.SetTPS(c.set)
		ticks.hide(float64(c.rate))
		hidden := ebiten.TPS()
		ticks.show()
		if hidden != c.hidden || ebiten.TPS() != c.shown {
			t.Errorf("TPS %d at %d frames per second: %d between frames and %d in them; want %d and %d", c.set, c.rate, hidden, ebiten.TPS(), c.hidden, c.shown)
		}
	}
	ebiten.SetTPS(60)
	ticks.hide(60)
	ebiten.SetTPS(30) // by another goroutine
	if ticks.show(); ebiten.TPS() != 30 {
		t.Errorf("a TPS that was set between two frames is lost: it is %d", ebiten.TPS())
	}
}

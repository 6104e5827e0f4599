// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"flag"
	"image"
	"image/png"
	"os"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/ebitengine.png")

const picturePath = "../../docs/ebitengine.png"

// The picture differs from run to run, in its figures and in where the tiles are, but not in what the overlay consists of.
func TestThePictureInTheDocumentsIsOfThisOverlay(t *testing.T) {
	d := screen(t)
	p := d.start(t, spec{Game: "2048", Options: Options{Overlay: Graph}})
	defer p.kill()
	deadline := func(m *image.RGBA) bool { // is the white line there, and the dark ground below it?
		for x := range width {
			if m.RGBAAt(x, height-graph/2-1) != due {
				return false
			}
		}
		return true
	}
	now := d.shows(t, "the graph", deadline)
	if *update {
		time.Sleep(6 * time.Second)
		f, err := os.Create(picturePath)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, d.grab(t)); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(picturePath)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	then, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	copied := image.NewRGBA(then.Bounds())
	for i := range then.Bounds().Dx() * then.Bounds().Dy() {
		copied.Set(i%then.Bounds().Dx(), i/then.Bounds().Dx(), then.At(i%then.Bounds().Dx(), i/then.Bounds().Dx()))
	}
	if then.Bounds() != now.Bounds() || !deadline(copied) {
		t.Errorf("%s is of an earlier overlay: go test -run Picture -update", picturePath)
	}
}

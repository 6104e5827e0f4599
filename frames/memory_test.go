// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// allocated returns how many bytes f allocates, including those that it frees.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestLongCapturesAreHeldOnce(t *testing.T) {
	if race.Enabled {
		t.Skip("reading is sequential")
	}
	const header, row, rows = "Application,MsBetweenPresents,CPUStartTime,AnimationError,GPUBusy\n", "a.exe,16.75,00000,-0.25,3.5\n", 1_000_000
	const perRow = 8 + 8 + 8 + 4
	const columns, beginning = rows * perRow, 6 * piece * perRow // a column grows to its first piece like a slice
	for _, c := range []struct {
		size int64
		most float64 // multiple of the size of the columns
	}{{int64(len(header) + rows*len(row)), 1.05}, {0, 2.05}} {
		var cs []Capture
		used := allocated(func() {
			var err error
			text := io.MultiReader(strings.NewReader(header), &repeated{text: row, left: rows})
			if cs, err = Read(text, ReadOptions{Size: c.size}); err != nil {
				t.Fatal(err)
			}
		})
		if x := cs[0]; len(x.Frames) != rows || len(x.AnimationError) != rows || len(x.GPUBusy) != rows || x.Frames[rows-1] != 16.75 {
			t.Fatalf("%d frames", len(x.Frames))
		}
		if float64(used) > c.most*columns+beginning {
			t.Errorf("size %d: reading columns of %d bytes allocates %d", c.size, columns, used)
		}
	}
}

// repeated reads the same text several times.
type repeated struct {
	text string
	rest string
	left int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.rest == "" {
			if r.left == 0 {
				break
			}
			r.rest, r.left = r.text, r.left-1
		}
		k := copy(p[n:], r.rest)
		n, r.rest = n+k, r.rest[k:]
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestAnalyzingCopiesNoLongCapture(t *testing.T) {
	if race.Enabled {
		t.Skip("arithmetic")
	}
	r := rand.New(rand.NewPCG(8, 1))
	c := Capture{Frames: make([]float64, 3_000_000)}
	for i := range c.Frames {
		c.Frames[i] = 10 + r.Float64()
		if i >= len(c.Frames)/2 {
			c.Frames[i] += 5 // another scene
		}
	}
	size := uint64(8 * len(c.Frames))
	var report Report
	used := allocated(func() {
		var err error
		if report, err = Analyze(c, Options{Resamples: -1}); err != nil {
			t.Fatal(err)
		}
	})
	if len(report.Scenes) != 2 {
		t.Fatalf("%d scenes", len(report.Scenes))
	}
	// The running sums of the whole and of two scenes do not depend on the length.
	if sums := uint64(3 * maxCells * 8 * (quantities + 4)); used > sums+size/2 {
		t.Errorf("%d bytes of frames: analyzing allocates %d beside %d of sums", size, used-sums, sums)
	}
}

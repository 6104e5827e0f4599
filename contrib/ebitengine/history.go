// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"fmt"
	"time"
)

// A turn is what is known about a frame. present is negative if it was not measured.
type turn struct{ total, update, draw, present time.Duration }

// A history holds the latest frames, oldest first from at.
type history struct {
	turns [width]turn
	at, n int
}

func (h *history) add(t turn) {
	h.turns[h.at] = t
	h.at = (h.at + 1) % len(h.turns)
	h.n = min(h.n+1, len(h.turns))
}

// back returns the frame i frames before the latest.
func (h *history) back(i int) turn { return h.turns[(h.at-1-i+2*len(h.turns))%len(h.turns)] }

// figures are about the frames of the latest second, or as many of them as the history has. present is the mean of the frames in
// which it was measured, negative if there is none.
type figures struct {
	rate                         float64
	worst, update, draw, present time.Duration
}

// latest returns the figures, and false if there is no frame yet.
func (h *history) latest() (f figures, ok bool) {
	var sum, present time.Duration
	var n, presents int
	for ; n < h.n && sum < time.Second; n++ {
		t := h.back(n)
		sum += t.total
		f.worst, f.update, f.draw = max(f.worst, t.total), f.update+t.update, f.draw+t.draw
		if t.present >= 0 {
			presents, present = presents+1, present+t.present
		}
	}
	if sum <= 0 {
		return figures{}, false
	}
	f.rate = float64(n) / sum.Seconds()
	f.update, f.draw, f.present = f.update/time.Duration(n), f.draw/time.Duration(n), -1
	if presents > 0 {
		f.present = present / time.Duration(presents)
	}
	return f, true
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// lines returns the text of the overlay.
func (h *history) lines() (first, second string) {
	f, ok := h.latest()
	if !ok {
		return "no frame yet", ""
	}
	second = fmt.Sprintf("update %.1f, draw %.1f", ms(f.update), ms(f.draw))
	if f.present >= 0 {
		second += fmt.Sprintf(", present %.1f", ms(f.present))
	}
	return fmt.Sprintf("%.1f FPS, longest %.1f ms", f.rate, ms(f.worst)), second + " ms"
}

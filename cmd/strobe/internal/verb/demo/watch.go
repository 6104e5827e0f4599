// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// watch prints a block of rows each second until ctx ends. Where the result is JSON, it shows them on standard error, if that is
// a terminal.
func (d *demo) watch(ctx context.Context, s *session.Session) {
	w := s.Out
	if s.JSON {
		if w = s.Err; !session.IsTerminal(w) {
			<-ctx.Done()
			return
		}
	}
	p := s.Printer()
	d.legend(p)
	w.Write(p.Bytes())
	// Between two ticks, so that no tick waits for the output and none is half inside the second.
	time.Sleep(min(10*time.Millisecond, time.Duration(0.5e9/float64(d.flags.Rate))))
	second := time.NewTicker(time.Second)
	defer second.Stop()
	last := d.start
	for {
		select {
		case <-ctx.Done():
		case <-second.C:
		}
		now := clock.Now()
		if now.Sub(last) >= time.Second/2 { // the last second may be cut short
			p := s.Printer()
			d.block(p, now, now.Sub(last))
			w.Write(p.Bytes())
		}
		if last = now; ctx.Err() != nil || s.Unread() {
			return
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"sync"
	"sync/atomic"
)

// A watch lets a context end sleeps. It is set up once for a context, not once for a wait, which would allocate.
type watch struct {
	ctx      context.Context
	canceled atomic.Bool // set before the sleeper is interrupted
	stopped  func() bool

	mu      sync.Mutex
	sleeper sleeper // nil once it must not be touched any more
}

// heed watches ctx, and no other context any more.
func (l *Limiter) heed(ctx context.Context) {
	if l.watch != nil {
		if l.watch.ctx == ctx {
			return
		}
		l.watch.stop()
		l.waiter.rearm()
	}
	w := &watch{ctx: ctx, sleeper: l.waiter.sleeper}
	if ctx.Done() != nil {
		w.stopped = context.AfterFunc(ctx, w.fire)
	}
	l.watch = w
}

func (w *watch) fire() {
	w.canceled.Store(true)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sleeper != nil {
		w.sleeper.interrupt()
	}
}

// stop ends the watch. Once it returns the sleeper is not touched, so it may be closed or rearmed.
func (w *watch) stop() {
	if w.stopped != nil {
		w.stopped()
	}
	w.mu.Lock()
	w.sleeper = nil
	w.mu.Unlock()
}

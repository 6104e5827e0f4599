// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// doubled is how long after an interrupt a second one counts as the same. GNU timeout sends a signal to the process and then to
// its group, and a terminal and a script may both send one.
const doubled = time.Second

// Interruptible returns a context that ends on Ctrl-C and on SIGTERM. The program then has time to print its results; a signal
// more than a second later ends it at once.
func Interruptible() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(doubled, stop) })
	return ctx
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

const (
	mostConnections  = 2 * mostViewers
	leastConnections = 4 // a page and its stream, for two
)

// affordable returns how many connections there may be in a program that may have so many file descriptors, of which each takes one.
func affordable(descriptors int) int {
	return max(leastConnections, min(mostConnections, descriptors/4))
}

// connections are those of a server that listens itself. Beyond the most, the one is closed on which nothing has been asked for longest;
// the new one, if all are being answered.
type connections struct {
	mu   sync.Mutex
	most int
	open []connection // the one whose state has changed longest ago first
}

type connection struct {
	net.Conn
	busy bool
}

// changed is told the states of connections.
func (c *connections) changed(conn net.Conn, to http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.open, func(o connection) bool { return o.Conn == conn })
	if at >= 0 {
		c.open = slices.Delete(c.open, at, at+1)
	}
	switch {
	case to == http.StateClosed, to == http.StateHijacked:
		return
	case to != http.StateNew && at < 0: // it has been closed
		return
	case to == http.StateNew && len(c.open) >= c.most:
		at := slices.IndexFunc(c.open, func(o connection) bool { return !o.busy })
		if at < 0 {
			conn.Close()
			return
		}
		c.open[at].Close()
		c.open = slices.Delete(c.open, at, at+1)
	}
	c.open = append(c.open, connection{conn, to == http.StateActive})
}

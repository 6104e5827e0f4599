// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/browser"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/live"
)

// ports is the number of ports to try if no address is given.
const ports = 10

// tolerance is the number of periods that may pass between ticks. At exactly one, half of the ticks would be late.
const tolerance = 1.1

// serve serves the live page until stop is called, and prints its address. mount is empty if no page is wanted, or none can be
// served.
func (d *demo) serve(s *session.Session) (mount string, stop func()) {
	if d.flags.HTTP == "off" {
		return "", func() {}
	}
	server := live.New(live.Options{Budget: time.Duration(tolerance * 1e9 / float64(d.flags.Rate))})
	stop = sync.OnceFunc(func() { server.Close() })
	if err := listen(server, string(d.flags.HTTP)); err != nil {
		s.Warn("no live page: %v; --http gives another address, or off", err)
		return "", stop
	}
	mount = server.URL()
	if text := "Live page: " + mount; !s.JSON {
		fmt.Fprintln(s.Out, text)
	} else if session.IsTerminal(s.Err) {
		fmt.Fprintln(s.Err, text)
	}
	if d.flags.Open {
		if err := browser.Open(mount); err != nil {
			s.Warn("cannot open the browser: %v; open %s yourself", err, mount)
		}
	}
	return mount, stop
}

// listen listens at addr, or if that is empty at the default address or one of the following ports.
func listen(server *live.Server, addr string) error {
	if addr != "" {
		return server.Listen(addr)
	}
	host, text, err := net.SplitHostPort(live.DefaultAddr)
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	for port := range ports {
		if err = server.Listen(net.JoinHostPort(host, strconv.Itoa(first+port))); err == nil {
			return nil
		}
	}
	return err
}

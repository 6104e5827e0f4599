// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"fmt"
	"net"
	"strconv"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/pace"
)

// Flags are the flags of the verb.
type Flags struct {
	Rate  hertz          `default:"60" placeholder:"60" help:"Ticks per second, from 0.1 to 100000."`
	For   flags.Duration `default:"10s" placeholder:"10s" help:"How long to run; 0 runs until Ctrl-C."`
	Boids size           `default:"1200" placeholder:"1200" help:"Size of the flock, from 1 to 100000."`
	HTTP  address        `name:"http" placeholder:"ADDR" help:"Where to serve the live page, HOST:PORT or :PORT; off serves none. If not given, 127.0.0.1:6061 or the next free port."`
	Open  bool           `help:"Open the live page in the browser."`
	Plain bool           `help:"Print lines, also on a terminal."`
}

// A hertz is a rate that a limiter can keep.
type hertz float64

// UnmarshalText reads a number of Hz.
func (h *hertz) UnmarshalText(text []byte) error {
	rate, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(rate >= pace.MinRate && rate <= pace.MaxRate) { // rejects NaN too
		return fmt.Errorf("%q is not a rate in Hz; give a number from %v to %d", text, pace.MinRate, pace.MaxRate)
	}
	*h = hertz(rate)
	return nil
}

// A size is a number of boids.
type size int

// UnmarshalText reads a whole number.
func (n *size) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 || v > 100_000 {
		return fmt.Errorf("%q is not a number of boids; give a whole number from 1 to 100000", text)
	}
	*n = size(v)
	return nil
}

// An address is where to listen: HOST:PORT, :PORT, "off", or empty for the default.
type address string

// UnmarshalText reads an address.
func (a *address) UnmarshalText(text []byte) error {
	if *a = address(text); *a == "off" {
		return nil
	}
	_, port, err := net.SplitHostPort(string(text))
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		return fmt.Errorf("%q is not an address; give HOST:PORT, :PORT or off", text)
	}
	return nil
}

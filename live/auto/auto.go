// SPDX-License-Identifier: BSD-3-Clause

// Package auto serves the live view of a program that imports it, without further code, if the environment variable
// STROBE_HTTP is set when it starts, for instance to 127.0.0.1:6061:
//
//	import _ "github.com/strobe-go/strobe/live/auto"
//
// The variable holds the address for live.Serve. STROBE_BUDGET may hold how long a frame may take: a duration in the form of
// time.ParseDuration, or the rate of the loop in Hz, such as 20Hz. Without it, the page compares frames with the median. The
// package prints on standard error where it listens, or why it does not. Without STROBE_HTTP it does nothing.
//
// Import it in package main, not in a library. To serve the page on a path of your own server, use live.Handler.
package auto

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/live"
)

var _ = serve()

// serve listens if the environment asks for it. It returns the server, or nil.
func serve() *live.Server {
	addr := os.Getenv("STROBE_HTTP")
	if addr == "" {
		return nil
	}
	budget, ok := parse(os.Getenv("STROBE_BUDGET"))
	if !ok {
		fmt.Fprintf(os.Stderr, "strobe: STROBE_BUDGET is %q, which is neither a duration such as 50ms nor a rate such as 20Hz: frames have no budget\n", os.Getenv("STROBE_BUDGET"))
	}
	s := live.New(live.Options{Budget: budget})
	if err := s.Listen(addr); err != nil {
		s.Close()
		fmt.Fprintln(os.Stderr, "strobe: no live view:", err)
		return nil
	}
	fmt.Fprintln(os.Stderr, "strobe: live view at", s.URL())
	return s
}

// parse returns the budget in a text: a duration, or the period of a rate.
func parse(text string) (budget time.Duration, ok bool) {
	if text == "" {
		return 0, true
	}
	if rate, found := strings.CutSuffix(strings.ToLower(text), "hz"); found {
		hz, err := strconv.ParseFloat(strings.TrimSpace(rate), 64)
		if err != nil || !(hz >= 1e-3 && hz <= 1e9) {
			return 0, false
		}
		return time.Duration(1e9 / hz), true
	}
	budget, err := time.ParseDuration(text)
	if err != nil || budget <= 0 {
		return 0, false
	}
	return budget, true
}

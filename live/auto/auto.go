// SPDX-License-Identifier: BSD-3-Clause

// Package auto serves the live view of a program that imports it, without further code, if the environment variable
// STROBE_HTTP is set when it starts, for instance to 127.0.0.1:6061:
//
//	import _ "github.com/strobe-go/strobe/live/auto"
//
// The variable holds the address for live.Serve. The package prints on standard error where it listens, or why it does not.
// Without the variable it does nothing.
package auto

import (
	"fmt"
	"os"

	"github.com/strobe-go/strobe/live"
)

var _ = serve()

// serve listens if the environment asks for it. It returns the server, or nil.
func serve() *live.Server {
	addr := os.Getenv("STROBE_HTTP")
	if addr == "" {
		return nil
	}
	s, err := live.Serve(addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "strobe: no live view:", err)
		return nil
	}
	fmt.Fprintln(os.Stderr, "strobe: live view at", s.URL())
	return s
}

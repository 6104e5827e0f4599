// SPDX-License-Identifier: BSD-3-Clause

// Package live shows a running program in a browser: its frames, their call trees, and what made one of them slow.
//
//	mux.Handle("/strobe/", http.StripPrefix("/strobe", live.Handler()))
//
// In a program that serves nothing else:
//
//	server, err := live.Serve("") // at DefaultAddr
//
// The blank import of package live/auto does that without code if the environment variable STROBE_HTTP is set.
//
// A frame is the time between two calls of strobe.Frame of one loop. Spans are clipped to frames, so that each frame has a
// call tree of its own; a program without loops has frames of a fixed length. The latest frames and the longest ones are kept
// in bounded memory, whether or not somebody is watching.
//
// docs/live.md describes the page, its security, and the stream of events, snapshot.json and commands for viewers of other
// kinds.
//
// # Cost
//
// A server records spans (see strobe.Record) and reads them in the background: once a second, up to 60 times while somebody
// is watching, and more often if there are many. Recording is all that it adds to the cost of spans.
//
// # Security
//
// Nothing listens before New, Serve or Handler is called, and then on the loopback interface unless it is told otherwise.
// Requests of other sites, and under names of the host that are not allowed, are refused. There are no passwords: whoever
// reaches the address sees the names of zones, and may turn measuring off.
//
// With the build tag strobe_off the page says that there is nothing to see.
package live

// SPDX-License-Identifier: BSD-3-Clause

// Package live shows a running program in a browser: its frames, their call trees, and what made one of them slow.
//
//	mux.Handle("/strobe/", http.StripPrefix("/strobe", live.Handler()))
//
// In a program that does not serve HTTP otherwise:
//
//	server, err := live.Serve("") // at DefaultAddr
//
// A blank import of package live/auto does the same without code if the environment variable STROBE_HTTP is set. New and
// Options are for programs that set a budget for frames or limits for memory. Do not serve the page on a public address: it
// has no passwords.
//
// A frame is the time between two calls of strobe.Frame for one loop. Spans are clipped to frames, so each frame has its own
// call tree; a program without loops has frames of a fixed length. The latest and the longest frames are kept in bounded
// memory, even while nobody is watching. Of the calls of root zones, see strobe.NewRootZone, the page shows how long they took over
// time, and the slowest ones with their own call trees.
//
// docs/live.md describes the page, its security, and the interface for other viewers: the stream of events, snapshot.json and
// commands.
//
// # Cost
//
// A server records spans (see strobe.Record) and reads them in the background: once a second, up to 60 times while somebody is
// watching, and more often if there are many. A span costs no more than it does with recording on.
//
// # Security
//
// Nothing listens before Serve or Server.Listen is called. Both use the loopback interface unless the address names another
// host. Requests from other sites, and requests for host names that are not allowed, are refused. There are no passwords:
// anyone who can reach the address can see the names of zones and turn measuring off.
//
// With the build tag strobe_off, the page says that nothing is measured.
package live

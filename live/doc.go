// SPDX-License-Identifier: BSD-3-Clause

// Package live shows a running program in a browser: its frames, their call trees, and where the time went.
//
//	mux.Handle("/strobe/", http.StripPrefix("/strobe", live.Handler()))
//
// Or, in a program that serves nothing else:
//
//	server, err := live.Serve("") // http://127.0.0.1:6061
//
// The blank import of package live/auto does this without code when the environment variable STROBE_HTTP is set.
package live

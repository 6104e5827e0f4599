// SPDX-License-Identifier: BSD-3-Clause

// Package pages has no code of its own: its tests open the pages that the command writes, and the live page, in a real browser. It is a module of
// its own, so that what drives the browser reaches nobody who imports the library.
//
// Two tests are short unless the environment variable STROBE_LONG is set: then one watches a program for five minutes, the other
// looks for twenty hidden causes, and both judge times, for which the machine must do nothing else:
//
//	STROBE_LONG=1 go test -v -timeout 20m -run 'Flat|ThreeClicks' .
package pages

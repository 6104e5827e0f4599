// SPDX-License-Identifier: BSD-3-Clause

// Package pages contains only tests: they open the pages that the command writes, and the live page, in a real
// browser. It is a separate module, so that importers of the library do not get the browser driver.
//
// Two tests are short unless the environment variable STROBE_LONG is set. Then one watches a program for five minutes, and the
// other looks for twenty hidden causes. Both check times, so the machine must be otherwise idle:
//
//	STROBE_LONG=1 go test -v -timeout 20m -run 'Flat|ThreeClicks' .
package pages

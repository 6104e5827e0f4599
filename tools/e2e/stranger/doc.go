// SPDX-License-Identifier: BSD-3-Clause

// Package stranger contains only tests: they measure a server that does not know of strobe, in folder wiki, as somebody would who meets
// strobe for the first time. The server is slow now and then, for reasons in its own code.
package stranger

// SPDX-License-Identifier: BSD-3-Clause

// Package trace opens what package trace writes with the viewers that people use: go tool pprof, the trace viewer in Go's
// own tree within a headless Chromium, and a decoder of Perfetto's messages. It has nothing but tests.
package trace

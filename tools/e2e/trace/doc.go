// SPDX-License-Identifier: BSD-3-Clause

// Package trace opens the output of strobe's package trace in the viewers that people use: go tool pprof, the trace viewer
// from Go's source tree in a headless Chromium, and a decoder of Perfetto's messages. It contains only tests.
package trace

// SPDX-License-Identifier: BSD-3-Clause

// Package unusual measures programs that are entered from C, loaded as a plugin, or built from a profile, and compares what strobe
// counts with what they did. Its tests need a C compiler.
package unusual

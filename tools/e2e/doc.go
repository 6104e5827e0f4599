// SPDX-License-Identifier: BSD-3-Clause

// Package e2e holds package perf to the instruction, in an emulated arm64 machine whose processor counts exactly.
//
// `./check emulated` cross-builds the tests and runs them with strobe exact, once for each machine: TestCounts on an ordinary
// one, TestUser64 and TestUser32 where counters may be read in user mode, TestHalf where there are cycles but no
// instructions. Anywhere else there is nothing to run. kernel.sh fetches the kernels.
package e2e

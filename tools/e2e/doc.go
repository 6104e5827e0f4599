// SPDX-License-Identifier: BSD-3-Clause

// Package e2e tests package perf to the instruction, in an emulated arm64 machine whose processor counts exactly.
//
// `./check emulated` cross-builds the tests and runs them with strobe exact, once for each machine: TestCounts on an ordinary
// one, TestUser64 and TestUser32 on machines whose counters can be read in user mode, TestHalf on one with cycles but no
// instructions. Other systems have no tests to run. kernel.sh fetches the kernels.
package e2e

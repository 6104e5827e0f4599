// SPDX-License-Identifier: BSD-3-Clause

// Package oracle compares packages of strobe with other libraries. It has only tests, and is a module of its own so that its
// dependencies do not reach those who import strobe.
package oracle

// SPDX-License-Identifier: BSD-3-Clause

// Package oracle checks packages of strobe against other libraries. It is a module of its own, so that what it needs
// does not reach those who import strobe, and has nothing but tests.
package oracle

// SPDX-License-Identifier: BSD-3-Clause

// Package account tells where the time of a unit went, and what of it made the unit slower than usual. It reads no clock and no
// file: data in, data out.
package account

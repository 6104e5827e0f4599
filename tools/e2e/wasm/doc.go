// SPDX-License-Identifier: BSD-3-Clause

// Package wasm runs a program that uses clock, pace and zones in a browser, as WebAssembly. It contains only tests; those of the
// packages themselves run in Node and wazero, by ./check wasm and ./check platforms.
package wasm

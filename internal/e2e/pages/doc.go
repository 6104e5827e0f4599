// SPDX-License-Identifier: BSD-3-Clause

// Package pages has no code of its own: its tests open the pages that the command writes, and the live page, in a real browser. It is a module of
// its own, so that what drives the browser reaches nobody who imports the library.
package pages

// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package pace

const raceEnabled = false

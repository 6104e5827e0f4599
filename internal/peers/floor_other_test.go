// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package peers

const hasFloor = false // it is written for Linux only

func bareSleeper(bool) startSleeper { panic("no floor") }
func bareWakeUps() startSleeper     { panic("no floor") }

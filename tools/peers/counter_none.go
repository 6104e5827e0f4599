// SPDX-License-Identifier: BSD-3-Clause

//go:build !amd64 && !arm64

package peers

const hasCounter = false

func counter() uint64        { return 0 }
func orderedCounter() uint64 { return 0 }
func nothing() uint64        { return 0 }
func orderedNs() int64       { return 0 }

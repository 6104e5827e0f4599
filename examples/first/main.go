// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"crypto/rand"
	"hash/crc32"
	"os"
	"time"

	"github.com/strobe-go/strobe"
)

var zFill, zSum = strobe.NewZone("fill"), strobe.NewZone("sum")

func fill(data []byte) {
	defer zFill.Enter().Exit()
	rand.Read(data)
}

func sum(data []byte) uint32 {
	defer zSum.Enter().Exit()
	return crc32.ChecksumIEEE(data)
}

func main() {
	defer strobe.StartReporter(os.Stdout, time.Second).Stop()
	data := make([]byte, 1<<20)
	for start := time.Now(); time.Since(start) < 2500*time.Millisecond; {
		fill(data)
		sum(data)
	}
}

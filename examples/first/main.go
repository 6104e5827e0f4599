// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/strobe-go/strobe"
)

var zFill, zSum = strobe.NewZone("fill"), strobe.NewZone("sum")

func fill() []byte {
	defer zFill.Enter().Exit()
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(i)
	}
	return data
}

func sum(data []byte) uint32 {
	defer zSum.Enter().Exit()
	return crc32.ChecksumIEEE(data)
}

func main() {
	defer strobe.StartReporter(os.Stdout, time.Second).Stop()
	total := uint32(0)
	for start := time.Now(); time.Since(start) < 2500*time.Millisecond; {
		total += sum(fill())
	}
	fmt.Println("total:", total)
}

// SPDX-License-Identifier: BSD-3-Clause

// Command work is a command to measure: it computes and reads memory for a number of rounds, its argument.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "work: give the number of rounds")
		os.Exit(2)
	}
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(2)
	}
	table := make([]uint32, 1<<18) // 1 MB
	x := uint32(1)
	for range rounds {
		for range 64 {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
		}
		table[x>>14] += x
	}
	if table[7] == 1 { // so that the compiler cannot remove the above
		fmt.Println(x)
	}
}

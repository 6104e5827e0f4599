// SPDX-License-Identifier: BSD-3-Clause

package bench_test

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat/decide"
)

// The costs are measured elsewhere, in the order that bench.Order draws.
func ExamplePairs() {
	order := bench.NewOrder(2, 1)
	p := bench.NewPairs("old", "new", bench.CompareOptions{})
	for i := range 40 {
		noise := 1 + float64(i%7)/100
		order.Next() // run the two commands in this order
		p.Add(100*noise, 108*noise*(1+float64(i%3)/1000), order.Before(0, 1))
		if p.Done(float64(i+1) / 40) {
			break
		}
	}
	c := p.Comparison()
	fmt.Println(c)
	outcome, _ := bench.Gate(c, 0.05)
	fmt.Println("gate:", outcome)
	// Output:
	// new is 1.0811 [1.0805, 1.0816] times old: slower
	// gate: failed
}

func ExampleRun() {
	r := bench.Run("copy", func() {
		var a, b [512]byte
		bench.Keep(copy(a[:], b[:]))
	}, bench.Options{MinTime: time.Millisecond, MaxTime: 10 * time.Millisecond})
	fmt.Println(r.Name, r.Cost.Known(), r.Long.Calls > 0) // r.Cost is the figure to quote, and r.Long that of many calls in one go
	// Output: copy true true
}

// The verdict depends on the machine; Inconclusive means that there was not enough time.
func ExampleCompare() {
	buffer := make([]byte, 1<<16)
	c := bench.Compare(
		func() { clear(buffer[:1<<10]) },
		func() { clear(buffer) },
		bench.CompareOptions{MaxTime: 100 * time.Millisecond},
	)
	switch c.Verdict {
	case decide.Slower, decide.Inconclusive:
		fmt.Println("64 KiB take no less time than 1 KiB")
	}
	// Output: 64 KiB take no less time than 1 KiB
}

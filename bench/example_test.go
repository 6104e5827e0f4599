// SPDX-License-Identifier: BSD-3-Clause

package bench_test

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe/bench"
)

// What was measured elsewhere, in an order that bench.Order gave.
func ExamplePairs() {
	p := bench.NewPairs("old", "new", bench.Options{})
	for i := range 40 {
		noise := 1 + float64(i%7)/100
		p.Add(100*noise, 108*noise*(1+float64(i%3)/1000))
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
	fmt.Println(r.Name, r.Time.Level)
	// Output: copy 0.95
}

// SPDX-License-Identifier: BSD-3-Clause

package decide_test

import (
	"fmt"

	"github.com/strobe-go/strobe/stat/decide"
)

// This estimates the shift between two samples, with 95 % confidence.
func ExampleDifferences() {
	old, fresh := []float64{20, 21, 22, 23, 24, 25}, []float64{30, 31, 32, 33, 34, 35}
	d := decide.NewDifferences(old, fresh)
	if cut, ok := decide.Cut(len(old), len(fresh), 0.05/2); ok {
		fmt.Printf("%g, from %g to %g\n", d.Median(), d.At(cut+1), d.At(d.N()-cut))
	}
	// Output: 10, from 7 to 13
}

// Of three figures compared at 5 %, only a difference that is much less likely by chance counts.
func ExampleHolm() {
	p := []float64{0.05, 0.01, 0.05}
	for i, x := range decide.Holm(0.05, decide.Equal(len(p)), func(i int, error float64) bool { return p[i] <= error }) {
		fmt.Println(p[i], x.Rejected)
	}
	// Output:
	// 0.05 false
	// 0.01 true
	// 0.05 false
}

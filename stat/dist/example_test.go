// SPDX-License-Identifier: BSD-3-Clause

package dist_test

import (
	"fmt"

	"github.com/strobe-go/strobe/stat/dist"
)

// The half-width of a two-sided 95 % interval, in standard errors.
func ExampleStudentUpper() {
	for _, nu := range []float64{4, 30, 1000} {
		fmt.Printf("%4.0f degrees of freedom: %.3f\n", nu, dist.StudentUpper((1-0.95)/2, nu))
	}
	fmt.Printf("normal distribution: %.3f\n", dist.NormalUpper((1-0.95)/2))
	// Output:
	//    4 degrees of freedom: 2.776
	//   30 degrees of freedom: 2.042
	// 1000 degrees of freedom: 1.962
	// normal distribution: 1.960
}

// How often the interval of the mean of five values covers the true mean if its half-width is the normal quantile, which
// ignores that their standard deviation is uncertain.
func ExampleStudentTail() {
	z := dist.NormalUpper((1 - 0.95) / 2)
	fmt.Printf("%.0f %% instead of 95 %%\n", 100*(1-2*dist.StudentTail(z, 4)))
	// Output: 88 % instead of 95 %
}

func ExampleNormalTail() {
	fmt.Printf("%.4f %.3g\n", dist.NormalTail(2), dist.NormalTail(10))
	// Output: 0.0228 7.62e-24
}

// SPDX-License-Identifier: BSD-3-Clause

package perfbench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/perf/perfbench"
)

// In a test file the function would be BenchmarkRepeat.
func ExampleStart() {
	repeat := func(b *testing.B) {
		perfbench.Start(b)
		for b.Loop() {
			strings.Repeat("x", 100)
		}
	}
	r := testing.Benchmark(repeat)
	fmt.Println(r, r.Extra["instructions/op"]) // absent if the machine cannot count them
}

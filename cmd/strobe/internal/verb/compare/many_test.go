// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
)

// BenchmarkManyRows compares files with many benchmarks: all in one package or each in its own, with throughput, of which the new file
// lacks half. The cost of a benchmark should not depend on their number.
func BenchmarkManyRows(b *testing.B) {
	for _, c := range []struct{ rows, packages int }{{200, 1}, {200, 200}, {5000, 1}, {5000, 5000}} {
		b.Run(fmt.Sprintf("%d-rows-in-%d-packages", c.rows, c.packages), func(b *testing.B) {
			text := func(lacks int) string {
				var t strings.Builder
				for i := range c.rows {
					if i%(c.rows/c.packages) == 0 {
						fmt.Fprintf(&t, "pkg: example.com/p%d\n", i)
					}
					for run := range 4 * (1 - i%2*lacks) {
						fmt.Fprintf(&t, "BenchmarkName%d-2 100 %d ns/op 5 MB/s\n", i, 100+(i*7+run*3)%13)
					}
				}
				return t.String()
			}
			before, after := clitest.Write(b, "old", text(0)), clitest.Write(b, "new", text(1))
			for b.Loop() {
				clitest.Run(b, verbs()[0], "", "compare", before, after, "--gate", "5%")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.rows), "ns/row")
		})
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package peers

import "testing"

func BenchmarkCounters(b *testing.B) { runRows(b, countersRows()) }

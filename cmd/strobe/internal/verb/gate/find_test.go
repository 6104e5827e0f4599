// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A program that does what a test binary does whose benchmark panics while the rest of package testing goes on.
const panicsLate = `#!/bin/sh
case "$*" in
*-test.list=*) printf 'BenchmarkA\nBenchmarkNone\n'; exit ;;
*^BenchmarkNone*) printf 'BenchmarkNone\nBenchmarkNone \t 1\t 7 widgets\nBenchmarkNone/x \t 1\t 7 ns/op\nPASS\n'; exit ;;
esac
echo x >> "$0.runs"
if [ $(wc -l < "$0.runs") -lt 3 ]; then printf 'BenchmarkA\nBenchmarkA \t 1\t 0 B/op\t 0 allocs/op\nPASS\n'; exit; fi
printf 'BenchmarkA\nBenchmarkA \t panic: boom\n'; exit 2
`

func TestAPanicIsFoundThoughTheProgramEndedWell(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("needs a shell")
	}
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, []byte(panicsLate), 0o777); err != nil {
		t.Fatal(err)
	}
	all, _ := parsePattern(".")
	f, err := find(t.Context(), process{binary: name, dir: ".", iterations: 1, processors: 1, timeout: time.Minute}, all)
	if err != nil || !maps.Equal(f.broken, map[string]string{"A": "panicked: boom", "None": "reports no time per call"}) || !slices.Equal(f.names, []string{"None/x"}) {
		t.Errorf("%v, %+v", err, f)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed overlay/exact.go.txt
var countingSource []byte

// An edit replaces words that stand once in a file of the standard library.
type edit struct{ file, old, fresh string }

// edits make package testing measure instructions and round the number of calls, and give the runtime's random numbers a fixed
// beginning: seeds of maps, the order of goroutines and what the heap profile samples would differ from run to run.
var edits = []edit{
	{"testing/testing_other.go", "time.Now()", "exactNow()"},
	{"testing/testing_other.go", "time.Since(b.now)", "exactNow().Sub(b.now)"},
	{"testing/benchmark.go", "return int(n)", "return exactCalls(n)"},
	{"runtime/rand.go", "globalRand.state.Init(*seed)", "*seed = [32]byte{1}\n\tglobalRand.state.Init(*seed)"},
}

// Overlay writes into dir what go test -overlay needs to make tests measure instructions in user mode instead of time, and
// returns the overlay's file. goroot is the Go installation that builds the test. The error says that its standard library has
// a form that is not known; then only instructions of the whole machine can be counted.
func Overlay(goroot, dir string) (string, error) {
	source := filepath.Join(goroot, "src")
	texts := map[string][]byte{filepath.Join(source, "testing", "strobe_exact.go"): countingSource}
	for _, e := range edits {
		original := filepath.Join(source, filepath.FromSlash(e.file))
		if texts[original] == nil {
			text, err := os.ReadFile(original)
			if err != nil {
				return "", err
			}
			texts[original] = text
		}
		if bytes.Count(texts[original], []byte(e.old)) != 1 {
			return "", fmt.Errorf("%s is not the expected version", original)
		}
		texts[original] = bytes.Replace(texts[original], []byte(e.old), []byte(e.fresh), 1)
	}
	replace := map[string]string{}
	for original, text := range texts {
		file := filepath.Join(dir, filepath.Base(original))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return "", err
		}
		replace[original] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o666)
}

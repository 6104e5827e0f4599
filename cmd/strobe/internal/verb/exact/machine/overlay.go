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

// Overlay writes into dir what go test -overlay needs to make package testing measure instructions in user mode instead of
// time, and returns the overlay's file. goroot is the Go installation that builds the test. The error says that its package
// testing has a form that is not known; then only instructions of the whole machine can be counted.
func Overlay(goroot, dir string) (string, error) {
	folder := filepath.Join(goroot, "src", "testing")
	original := filepath.Join(folder, "testing_other.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	for _, r := range [][2]string{{"time.Now()", "exactNow()"}, {"time.Since(b.now)", "exactNow().Sub(b.now)"}} {
		if bytes.Count(source, []byte(r[0])) != 1 {
			return "", fmt.Errorf("%s is not the expected version", original)
		}
		source = bytes.Replace(source, []byte(r[0]), []byte(r[1]), 1)
	}
	replace := map[string]string{}
	for _, f := range []struct {
		name, at string
		text     []byte
	}{{"other.go", original, source}, {"exact.go", filepath.Join(folder, "strobe_exact.go"), countingSource}} {
		file := filepath.Join(dir, f.name)
		if err := os.WriteFile(file, f.text, 0o666); err != nil {
			return "", err
		}
		replace[f.at] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o666)
}

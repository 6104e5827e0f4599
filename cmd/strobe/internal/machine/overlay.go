// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed overlay/exact.go.txt
var countingSource []byte

// An edit replaces a text that occurs once in a file of the standard library.
type edit struct{ file, old, fresh string }

// edits make package testing measure instructions and round the number of calls, and give the runtime's random numbers a fixed
// seed. Otherwise seeds of maps, the order of goroutines and the samples of the heap profile would differ from run to run.
var edits = []edit{
	{"testing/testing_other.go", "time.Now()", "exactNow()"},
	{"testing/testing_other.go", "time.Since(b.now)", "exactNow().Sub(b.now)"},
	{"testing/benchmark.go", "return int(n)", "return exactCalls(n)"},
	{"runtime/rand.go", "globalRand.state.Init(*seed)", "*seed = [32]byte{1}\n\tglobalRand.state.Init(*seed)"},
}

// Overlay writes the files into dir with which go test -overlay makes tests measure instructions in user mode instead of time,
// and returns the name of the overlay file. The overlay is for the go command that the module in the folder module uses; "" means
// the current folder. It returns an error if the standard library has an unknown form; then only instructions of the whole
// machine can be counted.
func Overlay(ctx context.Context, module, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = module
	goroot, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return overlay(strings.TrimSpace(string(goroot)), dir)
}

// overlay is Overlay for the Go installation in goroot.
func overlay(goroot, dir string) (string, error) {
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

// BuildEnvironment returns the variables with which the go command builds programs for the machine.
func BuildEnvironment() []string {
	return append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
}

// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/goroot"
)

//go:embed overlay/exact.go.txt
var countingSource []byte

// edits make package testing measure instructions and round the number of calls, and give the runtime's random numbers a fixed
// seed. Otherwise seeds of maps, the order of goroutines and the samples of the heap profile would differ from run to run.
var edits = []goroot.Edit{
	{File: "testing/testing_other.go", Old: "time.Now()", New: "exactNow()"},
	{File: "testing/testing_other.go", Old: "time.Since(b.now)", New: "exactNow().Sub(b.now)"},
	{File: "testing/benchmark.go", Old: "return int(n)", New: "return exactCalls(n)"},
	{File: "runtime/rand.go", Old: "globalRand.state.Init(*seed)", New: "*seed = [32]byte{1}\n\tglobalRand.state.Init(*seed)"},
}

// Overlay writes the files into dir with which go test -overlay makes tests measure instructions in user mode instead of time,
// and returns the name of the overlay file. More edits may follow. The overlay is for the go command that the module in the folder
// module uses; "" means the current folder. It returns an error if the standard library has an unknown form; then only instructions
// of the whole machine can be counted.
func Overlay(ctx context.Context, module, dir string, more ...goroot.Edit) (string, error) {
	source, err := goroot.Find(ctx, module)
	if err != nil {
		return "", err
	}
	return overlay(source, dir, more...)
}

// overlay is Overlay for the standard library in a folder.
func overlay(source, dir string, more ...goroot.Edit) (string, error) {
	replace, err := goroot.Replace(source, dir, slices.Concat(edits, more))
	if err != nil {
		return "", err
	}
	counting := filepath.Join(dir, "strobe_exact.go")
	if err := os.WriteFile(counting, countingSource, 0o666); err != nil {
		return "", err
	}
	replace[filepath.Join(source, "testing", "strobe_exact.go")] = counting
	file := filepath.Join(dir, "overlay.json")
	return file, goroot.Write(file, replace)
}

// BuildEnvironment returns the variables with which the go command builds programs for the machine.
func BuildEnvironment() []string {
	return append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
}

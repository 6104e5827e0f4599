// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The two sides, by their index.
const (
	oldSide = 0
	newSide = 1
	ownSide = 2 // of binaries: the base with its own tests, where oldSide has those of the new side
)

// sideNames are how sentences call the sides.
var sideNames = [2]string{"the base", "the working tree"}

// A pkg is a package with benchmarks on one side or both.
type pkg struct {
	path     string          // import path: that on the new side, if it has the package
	moved    bool            // it is another one on the base
	target   string          // what the go command builds in the folder of a side
	dirs     [2]string       // empty where the side has no such package, or no benchmarks in it
	binaries [3][]string     // test binaries, one a layout
	flags    []string        // for go build of the base with the tests of the new side; nil if it has its own
	unbuilt  bool            // one side does not build
	same     bool            // both sides are the same program, with the same files
	parallel map[string]bool // functions of the tests that start goroutines, on either side
	tests    [2]testCode
	machine  *emulator // runs them; nil for this machine
	runner   runner    // nil for process.exec
}

// again returns how a command names the package: by its folder where its import path differs between the sides.
func (p *pkg) again() string {
	if p.moved {
		return p.target
	}
	return p.path
}

// on reports whether a side has the package.
func (p *pkg) on(side int) bool { return p.dirs[side] != "" }

// tool runs a command that prints what the go command prints, in a folder. The error has the first line that says what is wrong.
func tool(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	return output(cmd)
}

// output is tool for a command that is made already.
func output(cmd *exec.Cmd) ([]byte, error) {
	var errout bytes.Buffer
	cmd.Stderr = &errout
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		for line := range strings.Lines(errout.String()) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading ") {
				return out, errors.New(line)
			}
		}
	}
	return out, err
}

// declares reports whether a file declares benchmarks.
func declares(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && bytes.Contains(text, []byte("\nfunc Benchmark"))
}

// A source is where the tests of a package are.
type source struct {
	path, dir string
	files     []string
}

// packages returns the packages of a side that have benchmarks, by what the go command builds: "./" and the folder, so that those of
// a module whose path has changed are the same, or the import path of a package elsewhere. It also returns what the go command
// complains about.
func packages(ctx context.Context, dir string, build, patterns []string) (found map[string]source, complaints []string, err error) {
	args := slices.Concat([]string{"go", "list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"}, build, []string{"--"}, patterns)
	out, err := tool(ctx, dir, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	found = map[string]source{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
			Error                     *struct{ Err string }
		}
		if err := d.Decode(&p); err == io.EOF {
			return found, complaints, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil {
			text, _, _ := strings.Cut(strings.TrimSpace(p.Error.Err), "\n")
			complaints = append(complaints, text)
		}
		files := slices.Concat(p.TestGoFiles, p.XTestGoFiles)
		for i, name := range files {
			files[i] = filepath.Join(p.Dir, name)
		}
		if slices.ContainsFunc(files, declares) {
			target := p.ImportPath
			if below, err := filepath.Rel(dir, p.Dir); err == nil && filepath.IsLocal(below) {
				target = "./" + filepath.ToSlash(below)
			}
			found[target] = source{p.ImportPath, p.Dir, files}
		}
	}
}

// build builds the test binary of a package. A seed above 0 puts its functions in a random order.
func build(ctx context.Context, side, target, binary string, flags []string, seed int) error {
	args := []string{"go", "test", "-c", "-vet=off", "-trimpath", "-buildvcs=false", "-o", binary}
	if seed > 0 {
		flags = withLinkerFlag(flags, fmt.Sprintf("-randlayout=%d", seed))
	}
	_, err := tool(ctx, side, slices.Concat(args, flags, []string{target})...)
	return err
}

// noDebug leaves out what only debuggers read, as go test does when it runs what it links. It takes a third of the time of linking.
const noDebug = "-w"

// aligned makes functions begin at a line of the cache. A loop that crosses a line in one program and not in the other makes most of
// what layouts differ by, and is nobody's change.
const aligned = "-funcalign=64"

// aligns reports whether the linker knows the flag, which that of Go 1.24 need not.
func aligns(ctx context.Context) bool {
	cmd := exec.CommandContext(ctx, "go", "tool", "link", "-help")
	help, _ := cmd.CombinedOutput() // it fails
	return bytes.Contains(help, []byte("-funcalign"))
}

// withLinkerFlag adds a linker flag to build flags, into the -ldflags that are there.
func withLinkerFlag(flags []string, flag string) []string {
	flags = slices.Clone(flags)
	for i, f := range flags {
		name, value, has := strings.Cut(f, "=")
		if strings.TrimLeft(name, "-") != "ldflags" {
			continue
		}
		if has {
			flags[i] = "-ldflags=" + value + " " + flag
			return flags
		}
		if i+1 < len(flags) {
			flags[i+1] += " " + flag
			return flags
		}
	}
	return append(flags, "-ldflags="+flag)
}

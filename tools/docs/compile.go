// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var (
	leftToReader = regexp.MustCompile(`undefined: [a-z]\w*$`)
	progress     = regexp.MustCompile(`^go: (finding|found|downloading) `) // the nested modules that blocks import
)

// Compile builds the go blocks in a separate module at dir, which uses the modules below root as an external program would.
// The errors contain the lines of the documents.
func Compile(root, dir string, blocks []Block) error {
	packages, err := Packages(root)
	if err != nil {
		return err
	}
	if err := writeModule(root, dir); err != nil {
		return err
	}
	var faults []error
	loose := map[string]bool{}
	for i, b := range blocks {
		text, err := program(b, packages)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: not Go: %w", b.At(), err))
			continue
		}
		folder := fmt.Sprintf("block%03d", i)
		loose[folder] = b.Loose
		files := map[string]string{"block.go": text}
		if b.Ask.Given != "" {
			file, err := parse(text)
			if err != nil {
				return err
			}
			clause := "package " + file.Name.Name + "\n"
			given, err := parse(clause + b.Ask.Given)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: what is given is not Go: %w", b.At(), err))
				continue
			}
			files["given.go"] = clause + imports(given, packages) + b.Ask.Given
		}
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, folder, name), []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	if len(loose) > 0 {
		faults = append(faults, build(dir, loose))
	}
	return errors.Join(faults...)
}

// build compiles every block and returns the errors of the compiler, except those about names that may be undefined.
func build(dir string, loose map[string]bool) error {
	cmd := exec.Command("go", "build", "-mod=mod", "-trimpath", "-gcflags=-e", "-o", os.DevNull, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	var faults []string
	folder, left := "", 0
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "+module+"/"); ok {
			folder = name
			continue
		}
		if loose[folder] && leftToReader.MatchString(line) {
			left++
			continue
		}
		if progress.MatchString(line) {
			continue
		}
		faults = append(faults, line)
	}
	if len(faults) == 0 && left > 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "\n"))
}

// module is the path of the module that blocks are compiled in.
const module = "docs.invalid/blocks"

// writeModule writes a go.mod that replaces every module below root with its folder.
func writeModule(root, dir string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	modules, err := Modules(root)
	if err != nil {
		return err
	}
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^go\s.*`).Find(goMod)
	var mod, sum strings.Builder
	fmt.Fprintf(&mod, "module %s\n\n%s\n\nrequire %s v0.0.0\n\n", module, version, modules[root])
	for folder, path := range modules {
		fmt.Fprintf(&mod, "replace %s => %s\n", path, strconv.Quote(folder))
		if lines, err := os.ReadFile(filepath.Join(folder, "go.sum")); err == nil {
			sum.Write(lines)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod.String()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), []byte(sum.String()), 0o666)
}

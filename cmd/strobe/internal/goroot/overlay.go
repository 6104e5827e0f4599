// SPDX-License-Identifier: BSD-3-Clause

// Package goroot changes the standard library for one build: files that the go command reads in place of others, by its flag
// -overlay. The installation is not touched.
package goroot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An Edit replaces a text that occurs once in a file of the standard library.
type Edit struct{ File, Old, New string }

// Find returns the source of the standard library that the go command uses for the module in a folder; "" is the current one.
func Find(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = module
	goroot, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(goroot)), "src"), nil
}

// Replace writes edited files of the standard library into a folder. It returns which file replaces which, in the form of an
// overlay, and an error if the library has an unknown form.
func Replace(source, dir string, edits []Edit) (map[string]string, error) {
	texts := map[string][]byte{}
	for _, e := range edits {
		original := filepath.Join(source, filepath.FromSlash(e.File))
		if texts[original] == nil {
			text, err := os.ReadFile(original)
			if err != nil {
				return nil, err
			}
			texts[original] = text
		}
		if bytes.Count(texts[original], []byte(e.Old)) != 1 {
			return nil, fmt.Errorf("%s is not the expected version", original)
		}
		texts[original] = bytes.Replace(texts[original], []byte(e.Old), []byte(e.New), 1)
	}
	replace := map[string]string{}
	for original, text := range texts {
		file := filepath.Join(dir, filepath.Base(original))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return nil, err
		}
		replace[original] = file
	}
	return replace, nil
}

// Write writes an overlay for go build -overlay: the files that replace others. If two replace the same file, the later one
// counts.
func Write(file string, replace ...map[string]string) error {
	all := map[string]string{}
	for _, r := range replace {
		maps.Copy(all, r)
	}
	text, err := json.Marshal(map[string]any{"Replace": all})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// Uncut makes package testing print B/op and allocs/op as fractions instead of truncating them to integers.
var Uncut = Edit{"testing/benchmark.go", `	return fmt.Sprintf("%8d B/op\t%8d allocs/op",
		r.AllocedBytesPerOp(), r.AllocsPerOp())`,
	`	each := func(total uint64, unit string) float64 {
		if v, ok := r.Extra[unit]; ok {
			return v
		}
		return float64(total) / float64(max(r.N, 1))
	}
	return fmt.Sprintf("%.9g B/op\t%.9g allocs/op", each(r.MemBytes, "B/op"), each(r.MemAllocs, "allocs/op"))`}

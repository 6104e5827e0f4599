// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os"
	"strings"
)

// explanations maps a mutant's name to the reason why no test can detect it.
type explanations map[string]string

// readExplained reads a file of lines "FILE FUNCTION: OLD -> NEW # REASON".
func readExplained(path string) (explanations, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := explanations{}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		mutant, reason, ok := strings.Cut(line, " # ")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: no reason: want FILE FUNCTION: OLD -> NEW # REASON", path, i+1)
		}
		known[strings.TrimSpace(mutant)] = strings.TrimSpace(reason)
	}
	return known, nil
}

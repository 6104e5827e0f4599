// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
)

// A goMod is what this program needs of a go.mod file.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
	Replace []struct{ Old struct{ Path string } }
}

func readGoMod(file string) (m goMod, err error) {
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		return m, fmt.Errorf("go mod edit -json %s: %w", file, err)
	}
	return m, json.Unmarshal(out, &m)
}

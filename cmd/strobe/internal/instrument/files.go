// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"os"
	"path/filepath"
)

// write writes a file, and makes its folder.
func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

// folderIn returns the folder of a program in that of its plan.
func folderIn(plan string) string { return filepath.Join(plan, "program") }

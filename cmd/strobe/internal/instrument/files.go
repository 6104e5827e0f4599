// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// digest returns a short name for some texts.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fixed reports whether the program of a plan is the same as long as the plan's request and inputs are: the go command need not be
// asked again. Other languages, much that is embedded, several modules in folders, revisions, and flags that are not known to be
// harmless are left to the go command, which takes longer for it than a small program.
func (b *building) fixed() bool {
	if b.request.Test || b.settings.Work != "" || b.request.flag(b.settings, "buildvcs") != "false" {
		return false
	}
	for _, f := range append(strings.Fields(b.settings.Flags), b.request.Flags...) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !slices.Contains([]string{"buildvcs", "tags", "ldflags", "gcflags", "race", "trimpath", "mod", "modcacherw", "p"}, name) {
			return false
		}
	}
	for _, l := range b.packages {
		if !l.Standard && len(l.CgoFiles) > 0 {
			return false
		}
		if !l.local() {
			continue
		}
		if _, known := l.embedded(); !known || l.Module == nil || !l.Module.Main || l.otherFiles() {
			return false
		}
	}
	return true
}

// otherFiles reports whether a package consists of more than Go files and what they embed.
func (l *listed) otherFiles() bool {
	for _, all := range [][]string{l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SwigFiles, l.SwigCXXFiles, l.SysoFiles} {
		if len(all) > 0 {
			return true
		}
	}
	_, err := os.Stat(filepath.Join(l.Dir, "default.pgo"))
	return err == nil
}

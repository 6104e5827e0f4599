// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"strings"
	"testing"
)

func TestALibraryThatIsNotThereIsNamedWithTheWay(t *testing.T) {
	for version, want := range map[string]string{"(devel)": "build it there without -trimpath", "v0.1.0": "strobe@v0.1.0: install the command again"} {
		if root, err := cachedLibrary(t.TempDir(), version); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %q, %v", version, root, err)
		}
	}
}

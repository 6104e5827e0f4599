// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"os"
	"testing"
)

// RunGame works once in a process, so each game of the tests runs in a process of its own, which is this program again.
func TestMain(m *testing.M) {
	if spec := os.Getenv(playVariable); spec != "" {
		os.Exit(play(spec))
	}
	code := m.Run()
	closeDisplay()
	os.Exit(code)
}

// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"strings"
	"testing"

	inside "github.com/strobe-go/strobe/internal/child"
)

func TestTheMemoryLimitThatEndedAProgramIsNamed(t *testing.T) {
	made(t) // needs more
	const limit = 256 << 20
	group := inside.Confine(t, limit)
	errout, code := executeRead(t, true, "memory", `"calls": 100`)
	calls, o := callsOf(t, errout, "main.work")
	if code != 137 || o.Signal != "SIGKILL" || !o.Starved || o.Limit != limit || calls != 100 || o.Missing <= 0 {
		t.Errorf("exit code %d, %d calls: %s", code, calls, errout)
	}
	errout, _ = executeRead(t, false, "memory", "   100 ")
	for _, want := range []string{"before the end, since SIGKILL ended the program: its control group " + group + " had reached its memory limit of 256 MiB", "main.work"} {
		if !strings.Contains(strings.Join(strings.Fields(errout), " "), want) {
			t.Errorf("%q is missing:\n%s", want, errout)
		}
	}
}

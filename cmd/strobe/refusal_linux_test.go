// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/child"
)

// Processes inherit seccomp filters from their parents.
func TestDemoRunsWhereTheKernelsClockIsRefused(t *testing.T) {
	if !child.Process(t) {
		return
	}
	const getTime64 = 403 // of 32-bit systems
	child.Refuse(t, syscall.EPERM, syscall.SYS_CLOCK_GETTIME, getTime64)
	self := binary(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // on a busy machine
	defer cancel()
	var out, e bytes.Buffer
	cmd := exec.CommandContext(ctx, self, "demo", "--for=500ms", "--http=off", "--json")
	cmd.Stdout, cmd.Stderr = &out, &e
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v, %q", err, e.String())
	}
	var got struct {
		Elapsed float64 `json:"elapsed_s"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Elapsed <= 0 { // on a busy machine starting takes a part of the half second
		t.Errorf("%v, %.500s", err, out.String())
	}
	text, err := exec.CommandContext(ctx, self, "probe", "--no-color").CombinedOutput()
	if words := strings.Join(strings.Fields(string(text)), " "); err != nil || !strings.Contains(words, "clock_gettime is refused (operation not permitted)") || !strings.Contains(words, "allow it in the sandbox's filter") {
		t.Errorf("%v, %s", err, text)
	}
}

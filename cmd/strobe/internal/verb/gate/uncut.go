// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/goroot"
)

// uncut makes the test programs print B/op and allocs/op as they are, where package testing cuts them to integers, if these decide.
func (m *measurement) uncut(ctx context.Context) error {
	limits, _ := m.flags.limits()
	for _, l := range m.rules.limits {
		limits = append(limits, l.bounds...)
	}
	if !slices.ContainsFunc(limits, func(l bound) bool { return l.metric == byAllocs || l.metric == byBytes }) {
		return nil
	}
	if m.emulator != nil {
		m.emulator.edits = append(m.emulator.edits, goroot.Uncut)
		return nil
	}
	cannot := ""
	if slices.ContainsFunc(m.build, isOverlay) {
		cannot = "the flag -overlay is in use"
	} else if source, err := goroot.Find(ctx, ""); err != nil {
		cannot = err.Error()
	} else if m.overlay, err = goroot.Replace(source, m.temp, []goroot.Edit{goroot.Uncut}); err != nil {
		cannot = err.Error()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if cannot != "" {
		m.notes = append(m.notes, "B/op and allocs/op are cut to integers: "+cannot)
		return nil
	}
	return goroot.Write(m.overlayFile(), m.overlay)
}

// overlayFile is the overlay of all builds, if there is one.
func (m *measurement) overlayFile() string { return filepath.Join(m.temp, "overlay.json") }

// buildFlags returns the flags for go build of programs with the tests of their own side.
func (m *measurement) buildFlags() []string {
	if m.overlay == nil {
		return m.build
	}
	return append(slices.Clip(m.build), "-overlay="+m.overlayFile())
}

// isOverlay reports whether a build flag is -overlay.
func isOverlay(flag string) bool { return strings.HasPrefix(strings.TrimLeft(flag, "-"), "overlay") }

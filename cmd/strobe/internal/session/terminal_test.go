// SPDX-License-Identifier: BSD-3-Clause

package session

import "testing"

func TestColourCanBeRefused(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !WantsColor() {
		t.Error("an empty NO_COLOR forbids colour")
	}
	t.Setenv("NO_COLOR", "1")
	if WantsColor() {
		t.Error("NO_COLOR=1 allows colour")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if WantsColor() {
		t.Error("a dumb terminal gets colour")
	}
}

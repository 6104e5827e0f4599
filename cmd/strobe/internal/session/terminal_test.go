// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"os"
	"runtime"
	"testing"
)

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

func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	if runtime.GOOS != "js" && runtime.GOOS != "wasip1" && IsTerminal(f) {
		t.Error("it is one")
	}
}

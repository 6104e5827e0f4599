// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"slices"
	"testing"
)

func TestWhatNeedsAShell(t *testing.T) {
	for text, want := range map[string]bool{
		"a b": false, "a | b": true, "a '|' b": false, `a "|" b`: false, `a \| b`: false, "a > /dev/null": true, "a; b": true, "a && b": true,
		"a $HOME": true, `a "$HOME"`: true, "a '$HOME'": false, `a \$HOME`: false, "a `b`": true, "ls *.go": true, `a "it's | b"`: false, "": false,
	} {
		if got := NeedsShell(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAShellIsGivenItsCommand(t *testing.T) {
	for shell, want := range map[string][]string{
		"bash --norc": {"bash", "--norc", "-c", "a | b"}, "cmd": {"cmd", "/c", "a | b"}, "/bin/dash": {"/bin/dash", "-c", "a | b"},
	} {
		if got, err := Shell(shell, "a | b"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := Shell("a 'b", "x"); err == nil {
		t.Error("a quote is not closed")
	}
}

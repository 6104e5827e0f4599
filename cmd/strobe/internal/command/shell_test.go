// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"slices"
	"strings"
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

func TestWordsAreCutAsAShellCutsThem(t *testing.T) {
	for text, want := range map[string][]string{
		"ls":                     {"ls"},
		"  ls   -l\t/tmp \n":     {"ls", "-l", "/tmp"},
		`echo 'a b' "c d" e\ f`:  {"echo", "a b", "c d", "e f"},
		`a'b'"c"d`:               {"abcd"},
		`echo '' ""`:             {"echo", "", ""},
		`echo "\"x\\" '\x' "\n"`: {"echo", `"x\`, `\x`, `\n`},
		`echo $HOME *.go | wc`:   {"echo", "$HOME", "*.go", "|", "wc"},
		"größe 'ß ü'":            {"größe", "ß ü"},
	} {
		got, err := Split(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"": "names no program", "  ": "names no program", "''": "names no program", "a 'b": "not closed", `a "b`: "not closed", `a \`: "backslash"} {
		if got, err := Split(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(`echo 'a b' "c\" d" e\ f`)
	f.Fuzz(func(t *testing.T, text string) {
		words, err := Split(text)
		if err != nil {
			return
		}
		again, err := Split(Join(words))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q becomes %q, then %q, %v", text, words, again, err)
		}
	})
}

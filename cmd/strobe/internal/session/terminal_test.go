// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bytes"
	"encoding/json"
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

func TestTheNullDeviceIsNotATerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	if runtime.GOOS != "js" && runtime.GOOS != "wasip1" && IsTerminal(f) {
		t.Error("it is one")
	}
}

func TestProgressStaysOnOneLine(t *testing.T) {
	var b bytes.Buffer
	p := Progress{w: &b, width: 20, On: true}
	p.Show("run %d of %s", 1, "a command with a long name")
	p.Clear()
	if got, want := b.String(), "\r\x1b[Krun 1 of a comma...\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Reset()
	Progress{w: &b, width: 20}.Show("x")
	if b.Len() != 0 {
		t.Errorf("%q without a terminal", b.String())
	}
}

func TestProgressIsLinesWithoutATerminalIfAskedFor(t *testing.T) {
	t.Setenv(ProgressLines, "lines")
	var b bytes.Buffer
	p := (&Session{Err: &b}).Progress()
	p.Show("run %d of %s", 1, "a\x1bcommand with a long name")
	p.Clear()
	if got, want := b.String(), "progress: run 1 of a?command with a long name\n"; !p.On || got != want {
		t.Errorf("%v, %q, want %q", p.On, got, want)
	}
	t.Setenv(ProgressLines, "")
	if p := (&Session{Err: &b}).Progress(); p.On {
		t.Error("progress without a terminal")
	}
}

func TestOutputHasNoControlCharacters(t *testing.T) {
	const name = "\x1b[2J\u202e\u009b\n\u2028"
	var out, warned bytes.Buffer
	(&Session{Err: &warned, Verb: "frames"}).Warn("cannot read %s", name)
	if got := warned.String(); got != "strobe frames: cannot read  [2J    \n" {
		t.Errorf("%q", got)
	}
	if err := WriteJSON(&out, map[string]string{"name": name}); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "{\n  \"name\": \"\\u001b[2J\\u202e\\u009b\\n\\u2028\"\n}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var back map[string]string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["name"] != name {
		t.Errorf("%q, %v", back, err)
	}
}

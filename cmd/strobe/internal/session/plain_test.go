// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestWhatIsWrittenMovesNoCursor(t *testing.T) {
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

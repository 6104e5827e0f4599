// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bytes"
	"testing"
)

func TestProgressStaysOnOneLine(t *testing.T) {
	var b bytes.Buffer
	p := Progress{&b, 20, true}
	p.Show("run %d of %s", 1, "a command with a long name")
	p.Clear()
	if got, want := b.String(), "\r\x1b[Krun 1 of a comma...\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Reset()
	Progress{&b, 20, false}.Show("x")
	if b.Len() != 0 {
		t.Errorf("%q without a terminal", b.String())
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package plain

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestOnlyWhatIsShownStays(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"load world/chunk 3 (main)":    "load world/chunk 3 (main)",
		"größe 速度 🙂":                   "größe 速度 🙂",
		"a\x1b[2Jb":                    "a?[2Jb",
		"bell\a, tab\t, line\r\n":      "bell?, tab?, line??",
		"\u202egnp.exe":                "?gnp.exe",
		"a\u2066b\u2069c\u200f\u061c":  "a?b?c??",
		"a\u2028b\u2029c":              "a?b?c",
		"\x7f\u0085\u009b2J":           "???2J",
		"\xff\xfe ok \xc3":             "?? ok ?",
		"zero\u200bwidth\ufeff\u00ad!": "zero?width??!",
		"tag \U000e0041":               "tag ?",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLongNamesKeepBothEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		most int
		want string
	}{
		{"abcdefghij", 10, "abcdefghij"},
		{"abcdefghijk", 10, "abcde…hijk"},
		{"äöüäöüäöüä", 10, "äöüäöüäöüä"},
		{"äöüäöüäöüäö", 10, "äöüäö…öüäö"},
		{"a\x1bcdefghij\x1b", 10, "a?cde…hij?"},
		{"\xff\xff\xff\xff\xff", 4, "??…?"},
		{"abc", 2, "a…"},
		{"abc", 1, "…"},
	} {
		if got := Name(c.name, c.most); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.name, c.most, got, c.want)
		}
	}
	if got := Name(strings.Repeat("long ", 1<<18), Longest); utf8.RuneCountInString(got) != Longest || !strings.Contains(got, "…") {
		t.Errorf("a name of a megabyte: %q", got)
	}
}

func TestEscapedJSONMeansTheSame(t *testing.T) {
	for _, text := range []string{"", "plain", "\x1b[2J\a\x7f", "\u202e\u2066", "\u2028", "tag \U000e0041, 🙂", "\u0085", "\"\\\u061c"} {
		in, err := json.MarshalIndent(map[string]string{text: text}, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		out := AppendJSON([]byte("x"), in)[1:]
		var got map[string]string
		if err := json.Unmarshal(out, &got); err != nil || got[text] != text {
			t.Errorf("%q: %s, %v", text, out, err)
		}
		for _, r := range string(out) {
			if r != '\n' && r != '\t' && !Is(r) {
				t.Errorf("%q: %q is in %q", text, r, out)
			}
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("a\x1bb\u202e\xff", 4)
	f.Fuzz(func(t *testing.T, name string, most int) {
		most = max(1, most%200)
		got := Name(name, most)
		if n := utf8.RuneCountInString(got); n > most || n != min(most, utf8.RuneCountInString(name)) {
			t.Errorf("%q in %d: %q has %d characters", name, most, got, n)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
				t.Errorf("%q: %q in %q", name, r, got)
			}
		}
	})
}

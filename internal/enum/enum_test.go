// SPDX-License-Identifier: BSD-3-Clause

package enum

import "testing"

type size int

var sizes = []string{"unknown", "small", "large"}

// String must not recurse through Word for a value without a word.
func (s size) String() string { return Word(s, sizes) }

func TestWordsStandForTheirValues(t *testing.T) {
	for i, want := range sizes {
		var back size
		if got := size(i).String(); got != want {
			t.Errorf("%d is %q, want %q", i, got, want)
		}
		if err := Parse(&back, sizes, []byte(want)); err != nil || back != size(i) {
			t.Errorf("%q is %d, want %d (%v)", want, int(back), i, err)
		}
	}
}

func TestUnknownWordsAreNamed(t *testing.T) {
	for i, want := range map[size]string{-1: "enum.size(-1)", 3: "enum.size(3)"} {
		if got := i.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, word := range []string{"", "Small", "small ", "medium"} {
		s := size(2)
		err := Parse(&s, sizes, []byte(word))
		if err == nil || s != 2 {
			t.Errorf("%q is taken for %v", word, s)
		}
		if want := `enum.size: "medium" is not one of ["unknown" "small" "large"]`; word == "medium" && err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

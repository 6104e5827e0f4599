// SPDX-License-Identifier: BSD-3-Clause

package markup

import "testing"

func TestOfShowsWhatItIsGivenAsText(t *testing.T) {
	got, err := Of(`<p class="{{class 7}}">{{.}}</p>`, "</p><script>")
	if want := `<p class="c1 d1">&lt;/p&gt;&lt;script&gt;</p>`; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestABrokenTemplateIsAnError(t *testing.T) {
	for _, body := range []string{"{{", "{{.Missing}}"} {
		if _, err := Of(body, 1); err == nil {
			t.Errorf("%q is no error", body)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package auto

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// printed returns what serve prints on standard error, and the address it listens at.
func printed(t *testing.T, addr string) (text, url string) {
	t.Helper()
	t.Setenv("STROBE_HTTP", addr)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = w
	s := serve()
	os.Stderr = stderr
	w.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if s != nil {
		t.Cleanup(func() { s.Close() })
		url = s.URL()
	}
	return string(b), url
}

func TestNothingListensWithoutTheVariable(t *testing.T) {
	if text, url := printed(t, ""); text != "" || url != "" {
		t.Errorf("%q at %q", text, url)
	}
}

func TestTheVariableSaysWhereToListen(t *testing.T) {
	text, url := printed(t, ":0")
	if !strings.HasPrefix(url, "http://127.0.0.1:") || text != "strobe: live view at "+url+"\n" {
		t.Fatalf("%q at %q", text, url)
	}
	a, err := http.Get(url)
	if err != nil || a.StatusCode != 200 {
		t.Fatalf("%v, %v", a, err)
	}
	a.Body.Close()
}

func TestAProgramRunsWhereItCannotListen(t *testing.T) {
	for _, addr := range []string{"nowhere", "127.0.0.1:-1", ":x"} {
		if text, url := printed(t, addr); url != "" || !strings.HasPrefix(text, "strobe: no live view: ") || strings.Count(text, "\n") != 1 {
			t.Errorf("%q: %q at %q", addr, text, url)
		}
	}
}

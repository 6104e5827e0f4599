// SPDX-License-Identifier: BSD-3-Clause

package auto

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
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

func TestTheBudgetIsADurationOrARate(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 0, "50ms": 50 * time.Millisecond, "20Hz": 50 * time.Millisecond, "60 hz": 16_666_666, "0.5Hz": 2 * time.Second} {
		if got, ok := parse(text); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"20", "0Hz", "-1ms", "0s", "Hz", "NaNHz", "InfHz", "1e300Hz", "fast"} {
		if got, ok := parse(text); ok || got != 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestThePageHasTheBudgetOfTheVariable(t *testing.T) {
	t.Setenv("STROBE_BUDGET", "20Hz")
	_, url := printed(t, ":0")
	a, err := http.Get(url + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	in := bufio.NewScanner(a.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() && !strings.HasPrefix(in.Text(), "data:") {
	}
	if !strings.Contains(in.Text(), `"budget_ns":50000000,`) {
		t.Errorf("the page is told %.300s, %v", in.Text(), in.Err())
	}
	t.Setenv("STROBE_BUDGET", "soon\x1b")
	if text, url := printed(t, ":0"); url == "" || strings.Count(text, "\n") != 2 || !strings.Contains(text, `STROBE_BUDGET is "soon\x1b"`) {
		t.Errorf("%q at %q", text, url)
	}
}

func TestAProgramRunsWhereItCannotListen(t *testing.T) {
	for _, addr := range []string{"nowhere", "127.0.0.1:-1", ":x"} {
		if text, url := printed(t, addr); url != "" || !strings.HasPrefix(text, "strobe: no live view: ") || strings.Count(text, "\n") != 1 {
			t.Errorf("%q: %q at %q", addr, text, url)
		}
	}
}

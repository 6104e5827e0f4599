// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestTheReportOfABenchmarkWorksInABrowser(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.html")
	cmd := exec.Command("go", "run", "./cmd/strobe", "bench", "--runs=12", "--gate=50%", "--export", out, "--name", "<b>first", "--name", "second", "go env GOOS", "go env GOARCH")
	cmd.Dir, cmd.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOWORK=auto")
	if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 { // go run exits with 1 if the gate fails
		t.Fatalf("%v\n%s", err, text)
	}
	p := open(t, fresh(t), out, 1280, 900, "light")
	coloursAreReadable(t, p, false)
	for _, id := range []string{"runs-0", "runs-1"} {
		if n := eval[int](t, p, `document.querySelectorAll("#`+id+` circle.dot").length`); n+eval[int](t, p, `document.querySelectorAll("#`+id+` path.beyond").length`) != 12 {
			t.Errorf("%s: %d dots for 12 runs", id, n)
		}
		p.do(t, chromedp.Focus("#"+id), chromedp.KeyEvent(kb.End))
		if text := eval[string](t, p, `document.getElementById("`+id+`-read").textContent`); !strings.HasPrefix(text, "run 12 of 12: ") || !strings.HasSuffix(text, "s") {
			t.Errorf("%s: the read-out says %q", id, text)
		}
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if shown := eval[bool](t, p, `document.getElementById("ratios").offsetParent !== null`); shown != bytes.Contains(page, []byte(`"ratios":[`)) {
		t.Fatalf("the ratios are shown: %v", shown)
	} else if !shown {
		t.Skip("the machine is so busy that the ratio has no interval")
	}
	p.do(t, chromedp.Focus("#ratios"), chromedp.KeyEvent(kb.End))
	if text := eval[string](t, p, `document.getElementById("ratios-read").textContent`); !strings.HasPrefix(text, "second: ") || !strings.Contains(text, "] times, ") ||
		!strings.HasSuffix(text, "; the gate is at 1.5") {
		t.Errorf("the ratio reads %q", text)
	}
	if text := eval[string](t, p, `document.getElementById("runs-0").closest("figure").querySelector("h2").textContent`); text != "<b>first" {
		t.Errorf("the first command is called %q", text)
	}
	digitsFollowUncertainty(t, p, 2)
	p.quiet(t)
	for _, width := range []int64{390, 1280} {
		p := open(t, fresh(t), out, width, 900, "light")
		if cut := eval[[]string](t, p, `[...document.querySelectorAll("table td")].filter((e) => e.offsetParent && (() => {
			const r = document.createRange();
			r.selectNodeContents(e);
			return r.getBoundingClientRect().right > innerWidth;
		})()).map((e) => e.textContent)`); len(cut) > 0 {
			t.Errorf("%d pixels wide: out of sight: %q", width, cut)
		}
		if shown := eval[bool](t, p, `[...document.querySelectorAll("table td.clear")].some((e) => e.offsetParent && e.textContent)`); !shown {
			t.Errorf("%d pixels wide: no verdict", width)
		}
	}
}

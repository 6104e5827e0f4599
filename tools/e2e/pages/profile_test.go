// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	pprof "github.com/google/pprof/profile"
)

func TestAProfileThatIsOpenedIsAFlameGraph(t *testing.T) {
	outer, inner := &pprof.Function{ID: 1, Name: "main.main"}, &pprof.Function{ID: 2, Name: "<b>work"}
	at := []*pprof.Location{{ID: 1, Line: []pprof.Line{{Function: outer}}}, {ID: 2, Line: []pprof.Line{{Function: inner}}}}
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: "allocations", Unit: "count"}, {Type: "space", Unit: "bytes"}}, Function: []*pprof.Function{outer, inner}, Location: at,
		Sample: []*pprof.Sample{{Location: []*pprof.Location{at[1], at[0]}, Value: []int64{7, 3 << 20}}, {Location: at[:1], Value: []int64{1, 1 << 20}}}}
	file, err := os.Create(filepath.Join(t.TempDir(), "heap"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	url := shown(t, file.Name())
	chrome := fresh(t)
	page := visit(t, chrome, url, url, 1280, 900, "light")
	page.do(t, chromedp.Focus("#lanes"), chromedp.KeyEvent(kb.ArrowRight))
	if text := page.text(t, "#lanes-read"); text != "main.main: 4 MiB, 100 %, itself 1 MiB" {
		t.Errorf("the first box reads %q", text)
	}
	page.do(t, chromedp.KeyEvent(kb.ArrowDown))
	if text := page.text(t, "#lanes-read"); text != "<b>work: 3 MiB, 75 %, itself 3 MiB · called by main.main" {
		t.Errorf("the second box reads %q", text)
	}
	if wide := eval[float64](t, page, `(() => { const [a, b] = [...document.querySelectorAll("#lanes rect.box")].map((e) => e.width.baseVal.value); return b / a; })()`); wide < 0.74 || wide > 0.76 {
		t.Errorf("the second box is %v of the first", wide)
	}
	if text := eval[string](t, page, `document.querySelector("#lanes").textContent`); !strings.Contains(text, "MiB") {
		t.Errorf("the axis reads %q", text)
	}
	page.quiet(t)
	other := visit(t, chrome, eval[string](t, page, `document.querySelector("header a").href`), url, 1280, 900, "light")
	if text := other.text(t, "h1"); text != "8 of allocations" {
		t.Errorf("the other value is %q", text)
	}
	other.quiet(t)
}

// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"regexp"
	"strings"
	"testing"
)

func write(t *testing.T, p Page) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageNamesEverythingItMayRunAndAsksForNothing(t *testing.T) {
	p := Page{Title: "t", Version: "v", Body: `<h1>x</h1>`, Data: 1, Style: "h1 { color: red }", Script: "page.start(() => {});"}
	text := write(t, p)
	allowed := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if allowed == nil || !strings.HasPrefix(allowed[1], "default-src &#39;none&#39;;") {
		t.Fatalf("policy %q", allowed)
	}
	for tag, source := range map[string]string{"style": style + p.Style, "script": script + p.Script} {
		if !strings.Contains(strings.ReplaceAll(allowed[1], "&#43;", "+"), tag+"-src &#39;"+hash(source)+"&#39;") {
			t.Errorf("%s is not in the policy %s", tag, allowed[1])
		}
		if !strings.Contains(text, "<"+tag+">"+source+"</"+tag+">") {
			t.Errorf("%s in the page is not what the policy names", tag)
		}
	}
	if !strings.Contains(text, `<h1>x</h1>`) {
		t.Errorf("no body in\n%s", text)
	}
	plain := regexp.MustCompile(`http://www.w3.org/2000/svg|[a-z]+-src`).ReplaceAllString(text, "")
	for _, use := range regexp.MustCompile(`(?i)(src|href|url\(|@import|fetch|XMLHttp)[^;]{0,40}`).FindAllString(plain, -1) {
		if !strings.Contains(use, "url(#clip") {
			t.Errorf("the page asks for %q", use)
		}
	}
	if regexp.MustCompile(` (style|on[a-z]+)="`).MatchString(text) {
		t.Error("an inline style or handler, which the policy forbids")
	}
}

func TestOnlyAPageThatAsksItsServerMayConnect(t *testing.T) {
	for _, connect := range []bool{false, true} {
		if got := strings.Contains(write(t, Page{Connect: connect}), "connect-src &#39;self&#39;;"); got != connect {
			t.Errorf("may connect: %v, want %v", got, connect)
		}
	}
}

func TestWhatAPageShowsIsText(t *testing.T) {
	const evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u2028`${1}{{.}}"
	want := write(t, Page{Title: "t", Body: "<p>" + Text("v") + "</p>", Data: "d"})
	got := write(t, Page{Title: evil, Body: "<p>" + Text(evil) + "</p>", ID: evil, Data: evil, Version: evil})
	for _, tag := range []string{"<script", "</script>", "<img", "<p"} {
		if strings.Count(got, tag) != strings.Count(want, tag) {
			t.Errorf("%d of %s, without hostile names %d", strings.Count(got, tag), tag, strings.Count(want, tag))
		}
	}
}

func TestDataThatDoesNotMarshalIsAnError(t *testing.T) {
	if err := Write(new(strings.Builder), Page{Data: func() {}}); err == nil {
		t.Error("no error")
	}
}

func TestPlaceholdersInValuesStay(t *testing.T) {
	if text := write(t, Page{Title: "{{data}}", Data: "{{title}}"}); !strings.Contains(text, "<title>{{data}}</title>") || !strings.Contains(text, `"{{title}}"`) {
		t.Error("a value was filled in twice")
	}
}

func TestAServerServesWhatThePagesHold(t *testing.T) {
	text := write(t, Page{})
	if Style() == "" || Script() == "" || !strings.Contains(text, Style()) || !strings.Contains(text, Script()) {
		t.Error("style or script differs from that of the pages")
	}
}

func TestRounding(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 1.0 / 3: 0.33333333, -123456789.5: -123456790} {
		if got := Rounded(x); got != want {
			t.Errorf("Rounded(%v) = %v, want %v", x, got, want)
		}
	}
}

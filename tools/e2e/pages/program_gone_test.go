// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestThePageComesBackWithTheProgram(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	s.CloseClientConnections() // the network fails, not the program
	p.until(t, `document.getElementById("status").textContent === "process 42"`)
	s.slow(60 * ms)
	p.until(t, `document.querySelector("#worst button").ariaLabel.startsWith("frame 601,")`)
	p.press(t, "-")
	if got := p.text(t, "#scope"); got != "601 frames in view" { // all frames have come twice
		t.Errorf("after the break there are %q", got)
	}
	s.mu.Lock()
	if n := len(s.resumed); n < 2 || s.resumed[n-1] != "one:600" {
		t.Errorf("resumed from %q", s.resumed)
	}
	s.mu.Unlock()
	s.end()
	p.until(t, `document.getElementById("status").textContent.startsWith("reconnecting")`)
	paths := slices.Clone(scriptPaths)
	paths[3] = []int{3, 0, 1, 3} // path is now in update, beside ai
	again := perform(t, s.Listener.Addr().String(), "two", paths...)
	again.frames(200, map[string]any{})
	again.slow(30 * ms)
	p.until(t, `document.getElementById("status").textContent === "process 43" && document.querySelector("#worst button").ariaLabel.startsWith("frame 201, 39.")`)
	p.click(t, "#worst button")
	if got := p.text(t, "#compare strong"); !strings.HasPrefix(got, "update/ai took 30.8 ms") {
		t.Errorf("of the new program: %q", got)
	}
	p.mu.Lock()
	p.complaint = slices.DeleteFunc(p.complaint, func(c string) bool { return strings.Contains(c, "net::ERR_") && strings.Contains(c, "/events") }) // these errors are expected
	p.mu.Unlock()
	p.quiet(t)
}

func TestThePageAsksLessAndLessOftenForAProgramThatIsGone(t *testing.T) {
	s, p := stutter(t, fresh(t), 1280, 900, "light")
	eval[bool](t, p, `(() => { window.opened = []; window.EventSource = class extends EventSource { constructor(...args) { super(...args); opened.push(performance.now()); } }; return true; })()`)
	s.end()
	p.until(t, `opened.length >= 3 && !document.getElementById("retry").hidden`)
	at := eval[[]float64](t, p, `opened`)
	for i, least := range []float64{1900, 3900} { // ms; no timer is early
		if gap := at[i+1] - at[i]; gap < least {
			t.Errorf("tries %v ms apart, want at least %v", gap, least)
		}
	}
	if got := p.text(t, "#notes"); !regexp.MustCompile(`It tries again after \d+ s\.`).MatchString(got) {
		t.Errorf("the page says %q", got)
	}
	if n := eval[int](t, p, `(() => { const n = opened.length; document.getElementById("retry").click(); return opened.length - n; })()`); n != 1 {
		t.Errorf("the button tries %d times", n)
	}
	again := perform(t, s.Listener.Addr().String(), "two")
	again.frames(10, map[string]any{})
	p.until(t, `document.getElementById("status").textContent === "process 43" && document.getElementById("retry").hidden`)
	p.mu.Lock()
	p.complaint = slices.DeleteFunc(p.complaint, func(c string) bool { return strings.Contains(c, "net::ERR_") && strings.Contains(c, "/events") })
	p.mu.Unlock()
	p.quiet(t)
}

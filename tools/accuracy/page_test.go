// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"strings"
	"testing"
)

func TestThePageIsAsGenerated(t *testing.T) {
	all, err := readAll(".")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/capture-accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(text), "\r\n", "\n") != page(all) {
		t.Error("docs/capture-accuracy.md differs from its results: run `go run ./accuracy` in tools")
	}
}

func TestCountsAreAddedUp(t *testing.T) {
	r, err := read([]byte(`{"Date":"2026-01-02","Go":"go1.26.1","Loads":["1.0","2.0"],"Trials":10,"Rounds":1}
{"set":"tuned","fault":"sleep","cause":"sleep","program":"loop","right":8,"placed":7,"wrong":0,"unclear":1,"none":0,"disturbed":1}
{"set":"tuned","fault":"sleep","cause":"sleep","program":"server","right":10,"placed":10,"wrong":1,"unclear":0,"none":0,"disturbed":0}
{"set":"held out","fault":"sleep","cause":"sleep","program":"pool","right":0,"placed":0,"wrong":0,"unclear":0,"none":10,"disturbed":0}
`))
	if err != nil {
		t.Fatal(err)
	}
	text := page([2]results{r, {}})
	for _, line := range []string{
		"| tuned | 90.0 [69.9, 97.2] | 5.0 [0.9, 23.6] | 18 | 1 | 1 | 0 | 1 |",
		"| held out |  |  | 0 | 0 | 0 | 10 | 0 |",
		"| sleep | `sleep` | 18 | 17 | 1 | 1 | 0 | 1 |",
		"| load of the machine before and after each round | 1.0, 2.0 |  |",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the page has no line %s\n%s", line, text)
		}
	}
	for _, bad := range []string{"", "{}", "x\n{}", "{}\nx"} {
		if _, err := read([]byte(bad)); err == nil {
			t.Errorf("%q is no file of results", bad)
		}
	}
}

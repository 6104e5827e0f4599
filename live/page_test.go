// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"io"
	"net/http"
	"regexp"
	"testing"
)

// weight is how many bytes a browser may have to load before the page is complete, compressed as they are sent.
const weight = 60_000

func TestThePageIsLightAndAsksOnlyForItsOwnFiles(t *testing.T) {
	s := serve(t, Options{})
	get := func(name, encoding string) string {
		q, err := http.NewRequest("GET", s.URL()+name, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Accept-Encoding", encoding)
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != 200 {
			t.Errorf("%s: %s", name, r.Status)
		}
		return string(body)
	}
	refers := regexp.MustCompile(`(?:<script src|<link rel="stylesheet" href)="([^"]+)"|\bfrom "\./([^"]+)"`)
	sum, plain, seen := 0, 0, map[string]bool{}
	for todo := []string{""}; len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		text := get(todo[0], "identity")
		sum += len(get(todo[0], "gzip"))
		plain += len(text)
		for _, m := range refers.FindAllStringSubmatch(text, -1) {
			todo = append(todo, m[1]+m[2])
		}
		if m := regexp.MustCompile(`https?://[^"\s)]*`).FindString(text); m != "" && m != "http://www.w3.org/2000/svg" {
			t.Errorf("%q names %s", todo[0], m)
		}
		if m := regexp.MustCompile(`<[^>]* (?:style|on[a-z]+)="|<style|<script>`).FindString(text); m != "" {
			t.Errorf("%q has %s, which the policy forbids", todo[0], m)
		}
	}
	if !seen["page.css"] || !seen["page.js"] || !seen["main.js"] || !seen["frames.js"] {
		t.Errorf("files %v", seen)
	}
	own, err := embedded.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range own {
		if !seen[f.Name()] && f.Name() != "index.html" {
			t.Errorf("nothing refers to %s", f.Name())
		}
	}
	if sum > weight {
		t.Errorf("the page weighs %d bytes, at most %d are allowed", sum, weight)
	}
	if sum >= plain {
		t.Errorf("%d bytes are sent for %d", sum, plain)
	}
	t.Logf("%d bytes for %d in %d files", sum, plain, len(seen))
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
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
	for name := range seen {
		if strings.HasSuffix(name, ".js") && name != "main.js" && name != "page.js" && !strings.Contains(get("", "identity"), `<link rel="modulepreload" href="`+name+`">`) {
			t.Errorf("%s is loaded only when what needs it is: a modulepreload is missing", name)
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

// The browser of internal/e2e/pages runs these tests too, but needs to be there.
func TestTheModulesOfThePageCompute(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH; internal/e2e/pages runs the same tests in a browser")
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(version), "v%d.%d", &major, &minor); err != nil || major < 20 || major == 20 && minor < 19 {
		t.Skipf("node %s does not recognise modules by their text, 20.19 does; internal/e2e/pages runs the same tests in a browser", strings.TrimSpace(string(version)))
	}
	out, err := exec.Command(node, "--test", "--test-reporter=tap", "testdata/node.mjs").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "\n    ok ") + strings.Count(string(out), "\nok "); n < 10 {
		t.Errorf("%d tests have passed:\n%s", n, out)
	}
}

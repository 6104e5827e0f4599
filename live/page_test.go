// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/page"
)

// weight is the maximum number of bytes that a browser loads for the complete page, compressed.
const weight = 70_000

// thePageOf returns the page as it is sent, and without compression.
func thePageOf(t *testing.T, s *Server) (small []byte, text, policy string) {
	t.Helper()
	a, packed := request(t, s, "GET", "", "", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil || a.StatusCode != 200 || a.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%s, %v: %v", a.Status, a.Header, err)
	}
	return []byte(packed), string(data), a.Header.Get("Content-Security-Policy")
}

func TestThePageIsOneLightFileThatNamesWhatItRuns(t *testing.T) {
	small, text, policy := thePageOf(t, serve(t, Options{RecordBytes: -1}))
	if len(small)+firstBytes/2 > weight {
		t.Errorf("the page weighs %d bytes and up to %d of frames, at most %d are allowed", len(small), firstBytes/2, weight)
	}
	for tag, kind := range map[string]string{"style": "style-src", "script": "script-src"} {
		m := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(text, -1)
		if len(m) != 1 {
			t.Fatalf("%d of <%s>", len(m), tag)
		}
		if want := kind + " " + hash(m[0][1]) + ";"; !strings.Contains(policy, want) {
			t.Errorf("the policy %s lacks %s", policy, want)
		}
	}
	if m := regexp.MustCompile(`https?://[^"\s)]*`).FindString(text); m != "" && m != "http://www.w3.org/2000/svg" {
		t.Errorf("the page names %s", m)
	}
	if m := regexp.MustCompile(`<[^>]* (?:style|on[a-z]+)="|<script src|rel="stylesheet"|\{\{`).FindString(text); m != "" {
		t.Errorf("the page has %s", m)
	}
	own, err := embedded.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{"the script of all pages": page.Script()}
	for _, f := range own {
		if strings.HasSuffix(f.Name(), ".js") {
			data, _ := embedded.ReadFile("page/" + f.Name())
			scripts[f.Name()] = string(data)
			if strings.Count(text, `modules["`+f.Name()+`"] = (`) != 1 {
				t.Errorf("%s is not in the page once", f.Name())
			}
		}
	}
	for name, script := range scripts {
		if m := regexp.MustCompile("(?m)^[^`\\n]*(?:`[^`\\n]*`[^`\\n]*)*`[^`\\n]*$").FindString(script); m != "" {
			t.Errorf("%s: a string does not end in its line, and its indentation would be lost: %s", name, m)
		}
	}
	if m := regexp.MustCompile(`(?m)^(?:import|export)\b.*`).FindString(text); m != "" {
		t.Errorf("the script has %q: join does not know this form", m)
	}
	t.Logf("%d bytes for %d", len(small), len(text))
}

func TestModulesAreJoinedAfterThoseTheyNeed(t *testing.T) {
	files := map[string]string{
		"main.js": "import { a as first, B } from \"./a.js\";\nimport { c } from \"./c.js\";\nrun(first);\n",
		"a.js":    "// Note.\nimport { c } from \"./c.js\";\nexport const a = 1;\nconst own = 2;\nexport class B {}\n",
		"c.js":    "export async function c() {\n  // Note.\n  return 3; // Note.\n}\nconst d = \"a // b\"; // It's kept.\n",
	}
	got := join("main.js", func(name string) string { return files[name] })
	want := `{ const modules = {};
modules["c.js"] = (() => {
async function c() {
return 3;
}
const d = "a // b"; // It's kept.
return { c };
})();
modules["a.js"] = (() => {
const { c } = modules["c.js"];
const a = 1;
const own = 2;
class B {}
return { a, B };
})();
modules["main.js"] = (() => {
const { a: first, B } = modules["a.js"];
const { c } = modules["c.js"];
run(first);
return {  };
})();
}
`
	if got != want {
		t.Errorf("%s", got)
	}
}

// The page contains the beginning of the stream, but only the latest frames.
func TestTheLatestFramesStandInThePage(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	state := func() (first struct {
		Hello  hello      `json:"hello"`
		Frames framesData `json:"frames"`
	}, found bool) {
		t.Helper()
		_, text, _ := thePageOf(t, s)
		m := regexp.MustCompile(`<script type="application/json" id="first">(.*)</script>`).FindStringSubmatch(text)
		if m == nil {
			t.Fatal("no first state")
		}
		if err := json.Unmarshal([]byte(m[1]), &first); err != nil {
			t.Fatalf("%v in %s", err, m[1])
		}
		return first, m[1] != "null"
	}
	if first, found := state(); found {
		t.Errorf("without frames: %+v", first)
	}
	s.collector.mu.Lock()
	for n := range 3 * firstFrames {
		s.collector.model.play(at(clock.Instant(n)*ms).frame("</script><script>", clock.Instant(n)*ms))
	}
	s.collector.mu.Unlock()
	first, found := state()
	list := first.Frames.Frames
	if !found || first.Hello.Run != s.run || first.Hello.Loop != "</script><script>" || len(list) != firstFrames {
		t.Fatalf("%v: %+v, %d frames", found, first.Hello, len(list))
	}
	if a, b := list[0][0], list[len(list)-1][0]; b-a != firstFrames-1 || b < 3*firstFrames-4 {
		t.Errorf("frames %v to %v", a, b)
	}
}

// tools/e2e/pages runs these tests in a browser too, if there is one.
func TestTheModulesOfThePageCompute(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH; tools/e2e/pages runs the same tests in a browser")
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(version), "v%d.%d", &major, &minor); err != nil || major < 20 || major == 20 && minor < 19 {
		t.Skipf("node %s does not recognise modules by their text, 20.19 does; tools/e2e/pages runs the same tests in a browser", strings.TrimSpace(string(version)))
	}
	out, err := exec.Command(node, "--test", "--test-reporter=tap", "testdata/node.mjs").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "\n    ok ") + strings.Count(string(out), "\nok "); n < 10 {
		t.Errorf("%d tests have passed:\n%s", n, out)
	}
}

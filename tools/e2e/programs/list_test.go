// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A program is a command of a public module, with something to do.
type program struct {
	name   string
	module string // with its version
	main   string // the package, in the module
	often  bool   // it is one of those that are tried every day

	files     map[string]string // what it reads, in the folder where it runs
	setup     string            // a script of sh that prepares the folder
	in        string            // the folder in it where it runs
	shows     bool              // it needs a display
	longer    func(p *program)  // gives it more to do, for the runs whose cost is measured; nil if it has enough
	args      []string
	exit      int                                         // its exit code
	quick     []string                                    // arguments with which it does next to nothing; nil if there are none
	quickSays string                                      // and prints this, which no error of a build does
	use       func(t *testing.T, address string) []string // for a server: uses it, and returns what it answered

	blank  []string // expressions for what differs from run to run in what it prints; those of lines end with \n
	ignore []string // how the names of files begin that differ from run to run
}

var programs = []program{
	{
		name: "gopher-lua", module: "github.com/yuin/gopher-lua@v1.1.1", main: "./cmd/glua", often: true,
		quick: []string{"-v"}, quickSays: "GopherLua 0.1",
		files: map[string]string{"work.lua": script}, args: []string{"work.lua"}, exit: 3,
		longer: func(p *program) {
			p.files = map[string]string{"work.lua": strings.Replace(script, "fib(25)", "fib(34)", 1)}
		},
	},
	{
		name: "gomarkdown", module: "github.com/gomarkdown/markdown@v0.0.0-20261107153045-a51d70be185e", main: "./cmd/printast",
		quick: []string{}, quickSays: "Usage: printast",
		files: map[string]string{"text.md": strings.Repeat(text, 100)}, args: []string{"-to-html", "text.md"},
		longer: func(p *program) { p.files = map[string]string{"text.md": strings.Repeat(text, 30_000)} },
	},
	{
		name: "bild", module: "github.com/anthonynsimon/bild@v0.14.0", main: ".",
		quick: []string{"--help"}, quickSays: "bild [command]",
		files: map[string]string{"in.png": picture(1600, 1200)}, args: []string{"blur", "gaussian", "-r", "12", "in.png", "out.png"},
	},
	{
		name: "go-git", module: "github.com/go-git/go-git/v5@v5.16.3", main: "./_examples/clone",
		quick: []string{}, quickSays: "Usage: ",
		setup: repository, args: []string{"source", "clone"}, ignore: []string{"clone/.git/index", "source/"},
		longer: func(p *program) { p.setup = strings.Replace(repository, "seq 120", "seq 500", 1) },
	},
	{
		name: "badger", module: "github.com/dgraph-io/badger/v4@v4.9.0", main: "./badger",
		quick: []string{"--help"}, quickSays: "Tools to manage Badger",
		args:  []string{"benchmark", "write", "--dir=db", "-m", "0.1", "--block-cache-mb", "16"},
		blank: []string{`(?m)^\[WRITE\].*\n`, `(?m)^Listening for /debug .*\n`, `[0-9][0-9.,:/]*( ?[µmk]?(s|B|MiB|KiB))?`, `(\.\.\.)+`}, ignore: []string{"db/"}, // its keys are random
		longer: func(p *program) { p.args = append(slices.Clone(p.args), "-m", "0.5") },
	},
	{
		name: "hugo", module: "github.com/gohugoio/hugo@v0.152.2", main: ".",
		quick: []string{"version"}, quickSays: "BuildDate=",
		files: site(300), longer: func(p *program) { p.files = site(1000) }, args: []string{"-d", "public"}, blank: []string{`in \d+ ms`, `(?m)^WARN .*\n`, `(?m)^hugo v0.*$`},
	},
	{
		name: "caddy", module: "github.com/caddyserver/caddy/v2@v2.10.2", main: "./cmd/caddy",
		quick: []string{"help"}, quickSays: "Caddy is an extensible server platform",
		files: map[string]string{"Caddyfile": caddyfile, "files/a.html": strings.Repeat("<p>text\n", 5000), "files/t.html": "{{.Req.URL.Path}} {{len (splitList \"a\" \"banana\")}}\n"},
		args:  []string{"run", "--config", "Caddyfile"}, use: requests(300),
		longer: func(p *program) { p.use = requests(3000) },
		blank:  []string{`(?m)^\{.*\n`, `(?m)^\d{4}/.*\n`}, ignore: []string{".config/", ".local/"}, // its log has times and addresses
	},
	{
		name: "ebitengine", module: "github.com/hajimehoshi/ebiten/v2@v2.9.0", main: "./examples/keyboard/keyboard/gen.go", shows: true,
		setup: "mkdir -p a/b resources/images/keyboard", in: "a/b", // it draws a keyboard in its game loop, writes the picture and ends
	},
}

// caddyfile configures the web server.
const caddyfile = `
{
	admin off
	auto_https off
	persist_config off
}
http://{$ADDRESS} {
	encode gzip
	root files
	handle /hello {
		respond "hello, world"
	}
	handle /t.html {
		templates
		file_server
	}
	handle {
		file_server
	}
}
`

// requests returns a function that sends the same requests to a web server, one after the other.
func requests(times int) func(t *testing.T, address string) (said []string) {
	return func(t *testing.T, address string) (said []string) {
		for range times {
			for _, path := range []string{"hello", "a.html", "t.html", "missing"} {
				resp, err := http.Get("http://" + address + "/" + path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				said = append(said, fmt.Sprintf("%s %s %x %v", path, resp.Status, sha256.Sum256(body), err))
			}
		}
		return said
	}
}

// picture returns a PNG.
func picture(width, height int) string {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y / 64), 255})
		}
	}
	var b strings.Builder
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

// site returns the files of a site for hugo.
func site(pages int) map[string]string {
	files := map[string]string{
		"hugo.toml":                         "baseURL = 'https://example.org/'\ntitle = 'Site'\n[taxonomies]\ntag = 'tags'\n",
		"layouts/_default/baseof.html":      "<html><title>{{ .Title }}</title><body>{{ block \"main\" . }}{{ end }}</body></html>",
		"layouts/_default/single.html":      "{{ define \"main\" }}{{ .Content }}{{ .TableOfContents }}{{ range .Params.tags }}<i>{{ . }}</i>{{ end }}{{ .WordCount }}{{ end }}",
		"layouts/_default/list.html":        "{{ define \"main\" }}{{ range .Pages }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a> {{ .Summary }}{{ end }}{{ end }}",
		"layouts/_default/_markup/.gitkeep": "",
	}
	for i := range pages {
		files[fmt.Sprintf("content/posts/%d.md", i)] = fmt.Sprintf("---\ntitle: Post %d\ndate: 2024-01-%02d\ntags: [t%d]\n---\n%s", i, i%28+1, i%7, strings.Repeat(text, 3))
	}
	return files
}

// repository makes a repository with a few hundred versions of files.
const repository = `set -e
export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z' GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q -b main source && git -C source config pack.threads 1
cd source
for i in $(seq 120); do
	mkdir -p d$((i % 5))
	for j in 1 2 3 4 5; do seq $i $((i * j * 20)) >d$((i % 5))/f$j; done
	git add . && git commit -q -m "commit $i"
done
git gc -q
`

// script is what the Lua interpreter runs: calls, tables, closures, strings, coroutines, errors.
const script = `
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(25))
local t = {}
for i = 1, 30000 do t[i] = (i * 7919) % 10007 end
table.sort(t, function(a, b) return a > b end)
local s = 0
for i, v in ipairs(t) do s = s + v * i % 97 end
print(s)
local n = 0
for i = 1, 3000 do
	local text = string.format("%05d,%x", i * i, i)
	for w in string.gmatch(text, "%x+") do n = n + #w end
	text = string.gsub(text, "1", function(c) return c .. c end)
	n = n + #text
end
print(n, string.rep("x", 10))
local next = coroutine.wrap(function() for i = 1, 2000 do coroutine.yield(i) end end)
local sum = 0
for i = 1, 2000 do sum = sum + next() end
print(sum, pcall(function() error("planned") end))
local object = setmetatable({}, {__index = function(_, k) return k .. "!" end, __add = function(a, b) return b end})
for i = 1, 2000 do assert(object["k" .. i] == "k" .. i .. "!" and object + i == i) end
os.exit(3)
`

// text is what the converter of markdown reads, many times.
const text = `# A *heading* with a [link](https://example.org "title")

A paragraph with **strong**, ` + "`code`" + `, <b>HTML</b>, an image ![alt](a.png) and https://example.org.
A second line, with a footnote[^1].

1. one
2. two
   - nested
   - list

> a quotation
> of two lines

| a | b |
|---|--:|
| 1 | 2 |

` + "```go\nfunc main() {}\n```" + `

[^1]: The note.
`

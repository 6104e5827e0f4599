// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/strobe-go/strobe/internal/page"
)

//go:embed page
var embedded embed.FS

// media are the types of the files of the page. The tables of the system, which package mime reads, are not to be relied on.
func media(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "" // not a file of the page
}

// A file is one of the page.
type file struct {
	kind           string
	tag            string // changes with the data
	plain, smaller []byte // as it is, and compressed with gzip
}

// files are those of the page by name: its own, and those that the self-contained pages consist of too.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	add := func(name string, data []byte) {
		sum := sha256.Sum256(data)
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid, and a buffer takes everything
		z.Write(data)
		z.Close()
		all[name] = file{media(name), hex.EncodeToString(sum[:8]), data, b.Bytes()}
	}
	own, _ := embedded.ReadDir("page") // what is embedded can be read
	for _, e := range own {
		data, _ := embedded.ReadFile("page/" + e.Name())
		add(e.Name(), data)
	}
	add("page.css", []byte(page.Style()))
	add("page.js", []byte(page.Script()))
	return all
})

// servePage answers with the page or a file beside it.
func servePage(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[1:]
	if name == "" {
		name = "index.html"
	}
	f := files()[name]
	if f.kind == "" {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "no-cache") // kept, and asked for again: another version of the program has another page
	w.Header().Set("Vary", "Accept-Encoding")
	data, tag := f.plain, f.tag
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		data, tag = f.smaller, f.tag+"z"
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

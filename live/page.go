// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
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

// servePage answers with the page or a file beside it.
func servePage(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[1:]
	if name == "" {
		name = "index.html"
	}
	kind := media(name)
	data, err := fs.ReadFile(embedded, "page/"+name)
	if err != nil || kind == "" {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	sum := sha256.Sum256(data)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache") // kept, and asked for again: another version of the program has another page
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

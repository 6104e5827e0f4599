// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"strings"
	"sync"

	"github.com/strobe-go/strobe/internal/guard"
	"github.com/strobe-go/strobe/internal/page"
)

//go:embed page
var embedded embed.FS

// A document is the page: the text before and after the embedded first state of the program.
type document struct {
	head, tail part
	policy     string
}

// A part is text, plain and compressed by package flate: a part of a stream, or its end.
type part struct{ plain, smaller []byte }

func newPart(text []byte, level int, last bool) part {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, level) // the levels here are valid, and writing to a buffer does not fail
	z.Write(text)
	if z.Flush(); last {
		z.Close()
	}
	return part{text, b.Bytes()}
}

// thePage is a single file, so that a browser sends one request and can draw immediately.
var thePage = sync.OnceValue(func() document {
	file := func(name string) string {
		data, _ := embedded.ReadFile("page/" + name) // embedded files can be read
		return string(data)
	}
	style := page.Style() + file("live.css") + file("timeline.css") + file("units.css")
	script := bare(page.Script()) + join("main.js", file)
	text := strings.NewReplacer("{{style}}", style, "{{script}}", script).Replace(file("index.html"))
	head, tail, _ := strings.Cut(text, "{{first}}")
	return document{newPart([]byte(head), flate.BestCompression, false), newPart([]byte(tail), flate.BestCompression, true),
		"default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) + "; connect-src 'self'; img-src data:; " + guard.Closed}
})

// hash returns a text's hash in the form used by the policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// page answers with the page, which already contains the latest frames.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	d, first := thePage(), newPart(s.first(), flate.BestSpeed, false)
	s.collector.soon() // the stream will be requested immediately
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", d.policy)
	h.Set("Vary", "Accept-Encoding")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(bytes.Join([][]byte{d.head.plain, first.plain, d.tail.plain}, nil))
		return
	}
	h.Set("Content-Encoding", "gzip")
	w.Write(zip(d.head, first, d.tail))
}

// zip returns the parts as one file of gzip, as RFC 1952 describes it.
func zip(parts ...part) []byte {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	sum, size := crc32.NewIEEE(), 0
	for _, p := range parts {
		b = append(b, p.smaller...)
		sum.Write(p.plain)
		size += len(p.plain)
	}
	b = binary.LittleEndian.AppendUint32(b, sum.Sum32())
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

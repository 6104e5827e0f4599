// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof" // at /debug/pprof
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/go-chi/chi/v5"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/strobe-go/strobe"
)

const serverEnv = "STROBE_PEERS_SERVER"

// pages is the number of pages.
const pages = 100

// The zones of a request: twenty, each entered once.
var (
	zRequest  = strobe.NewRootZone("request")
	zRoute    = strobe.NewZone("route")
	zCheck    = strobe.NewZone("check")
	zLoad     = strobe.NewZone("load")
	zBegin    = strobe.NewZone("begin transaction")
	zGet      = strobe.NewZone("get")
	zValue    = strobe.NewZone("value")
	zDiscard  = strobe.NewZone("discard")
	zCount    = strobe.NewZone("count")
	zSplit    = strobe.NewZone("split")
	zFront    = strobe.NewZone("front matter")
	zBody     = strobe.NewZone("body")
	zPage     = strobe.NewZone("page")
	zParse    = strobe.NewZone("parse")
	zHeadings = strobe.NewZone("headings")
	zRender   = strobe.NewZone("render")
	zAnswer   = strobe.NewZone("answer")
	zTag      = strobe.NewZone("tag")
	zHeader   = strobe.NewZone("header")
	zWrite    = strobe.NewZone("write")
)

// servePages serves pages of Markdown from memory until its standard input ends.
func servePages() {
	store, err := badger.Open(badger.DefaultOptions("").WithInMemory(true).WithLogger(nil))
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
	s := &site{store: store, markdown: goldmark.New()}
	if err := s.fill(); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
	router := chi.NewRouter()
	router.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer zRequest.Enter().Exit()
			next.ServeHTTP(w, r)
		})
	})
	router.Get("/pages/{id}", s.page)
	mux := http.DefaultServeMux // this mux has pprof
	mux.Handle("/pages/", router)
	mux.HandleFunc("/set", func(_ http.ResponseWriter, r *http.Request) { strobe.SetEnabled(r.FormValue("on") == "true") })
	watch := newWatcher()
	mux.HandleFunc("/watch", func(w http.ResponseWriter, r *http.Request) {
		if err := watch.watch(r.FormValue("with")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("/changes", func(w http.ResponseWriter, _ *http.Request) {
		n, err := watch.changes()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, n)
	})
	mux.HandleFunc("/used", func(w http.ResponseWriter, _ *http.Request) {
		used, _ := cpuTime()
		fmt.Fprint(w, int64(used))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	time.AfterFunc(10*time.Minute, func() { os.Exit(1) }) // even if its parent has gone
	fmt.Println(listener.Addr())
	_ = http.Serve(listener, mux)
}

type site struct {
	store    *badger.DB
	markdown goldmark.Markdown
}

func (s *site) fill() error {
	return s.store.Update(func(t *badger.Txn) error {
		for i := range pages {
			var page strings.Builder
			fmt.Fprintf(&page, "title: Page %d\n\n# Page %d\n\nSome *text* with `code`, a [link](/pages/%d) and\na second line.\n\n", i, i, (i+1)%pages)
			for k := range 4 {
				fmt.Fprintf(&page, "## Part %d\n\n- one\n- **two**\n- three\n\nA paragraph that has a few words, and no more than that.\n\n", k)
			}
			if err := t.Set([]byte("page/"+strconv.Itoa(i)), []byte(page.String())); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *site) page(w http.ResponseWriter, r *http.Request) {
	route := zRoute.Enter()
	id := chi.URLParam(r, "id")
	check := zCheck.Enter()
	_, err := strconv.Atoi(id)
	check.Exit()
	route.Exit()
	if err != nil {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	source, err := s.load(id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	title, body := split(source)
	html, err := s.render(title, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, html)
}

func (s *site) load(id string) ([]byte, error) {
	defer zLoad.Enter().Exit()
	begin := zBegin.Enter()
	t := s.store.NewTransaction(false)
	begin.Exit()
	defer func() {
		discard := zDiscard.Enter()
		t.Discard()
		discard.Exit()
	}()
	get := zGet.Enter()
	item, err := t.Get([]byte("page/" + id))
	get.Exit()
	if err != nil {
		return nil, err
	}
	value := zValue.Enter()
	source, err := item.ValueCopy(nil)
	value.Exit()
	count := zCount.Enter()
	if item.EstimatedSize() < int64(len(source)) {
		err = fmt.Errorf("page %s is damaged", id)
	}
	count.Exit()
	return source, err
}

func split(source []byte) (title string, body []byte) {
	defer zSplit.Enter().Exit()
	front := zFront.Enter()
	head, rest, _ := bytes.Cut(source, []byte("\n\n"))
	title = strings.TrimPrefix(string(head), "title: ")
	front.Exit()
	trim := zBody.Enter()
	body = bytes.TrimSpace(rest)
	trim.Exit()
	return title, body
}

func (s *site) render(title string, body []byte) ([]byte, error) {
	defer zPage.Enter().Exit()
	parse := zParse.Enter()
	doc := s.markdown.Parser().Parse(text.NewReader(body))
	parse.Exit()
	headings := zHeadings.Enter()
	n := 0
	for at := doc.FirstChild(); at != nil; at = at.NextSibling() {
		if at.Kind() == ast.KindHeading {
			n++
		}
	}
	headings.Exit()
	var html bytes.Buffer
	fmt.Fprintf(&html, "<title>%s (%d)</title>\n", title, n)
	render := zRender.Enter()
	err := s.markdown.Renderer().Render(&html, body, doc)
	render.Exit()
	return html.Bytes(), err
}

func answer(w http.ResponseWriter, html []byte) {
	defer zAnswer.Enter().Exit()
	tag := zTag.Enter()
	sum := fnv.New64a()
	_, _ = sum.Write(html)
	tag.Exit()
	header := zHeader.Enter()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(html)))
	w.Header().Set("ETag", strconv.FormatUint(sum.Sum64(), 16))
	header.Exit()
	write := zWrite.Enter()
	_, _ = w.Write(html)
	write.Exit()
}

// SPDX-License-Identifier: BSD-3-Clause

// Command wiki serves a small wiki: chi routes the requests, badger keeps the pages. It does not know of strobe. Most requests take less
// than a millisecond, and some take many times as long, for two reasons that are in its own code.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/go-chi/chi/v5"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	dir := flag.String("dir", "wiki", "folder for the pages")
	flag.Parse()
	pages, err := badger.Open(badger.DefaultOptions(filepath.Join(*dir, "pages")).WithLogger(nil))
	if err != nil {
		log.Fatal(err)
	}
	defer pages.Close()
	feed, err := os.Create(filepath.Join(*dir, "feed"))
	if err != nil {
		log.Fatal(err)
	}
	w := &wiki{pages: pages, feed: feed}
	router := chi.NewRouter()
	router.Get("/page/{title}", w.show)
	router.Put("/page/{title}", w.save)
	router.Get("/recent", w.list)
	router.Get("/search", w.search)
	server := &http.Server{Addr: *addr, Handler: router}
	go func() {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		<-interrupted
		server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}

// A wiki has pages, and a list of those that were changed last, which it also writes to a file for other programs.
type wiki struct {
	pages *badger.DB

	mu     sync.Mutex
	recent []string // titles, the latest first
	feed   *os.File
	fed    time.Time // when the file was written
}

// show answers with a page.
func (w *wiki) show(rw http.ResponseWriter, r *http.Request) {
	text, err := w.read(chi.URLParam(r, "title"))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	}
	rw.Write(text)
}

func (w *wiki) read(title string) (text []byte, err error) {
	err = w.pages.View(func(t *badger.Txn) error {
		item, err := t.Get([]byte(title))
		if err == nil {
			text, err = item.ValueCopy(nil)
		}
		return err
	})
	return text, err
}

// save keeps a page.
func (w *wiki) save(rw http.ResponseWriter, r *http.Request) {
	title := chi.URLParam(r, "title")
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = w.pages.Update(func(t *badger.Txn) error { return t.Set([]byte(title), text) })
	}
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	w.changed(title)
}

// changed puts a page at the head of the list.
func (w *wiki) changed(title string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recent = slices.DeleteFunc(w.recent, func(other string) bool { return other == title })
	w.recent = slices.Insert(w.recent, 0, title)
	if time.Since(w.fed) > 2*time.Second {
		w.publish() // all that need the list wait
		w.fed = time.Now()
	}
}

// publish writes the list to the file, in which no line may be lost.
func (w *wiki) publish() {
	w.feed.Truncate(0)
	for _, title := range w.recent {
		fmt.Fprintln(w.feed, title)
		w.feed.Sync()
	}
}

// list answers with the list.
func (w *wiki) list(rw http.ResponseWriter, _ *http.Request) {
	json.NewEncoder(rw).Encode(w.latest(20))
}

func (w *wiki) latest(n int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.recent[:min(n, len(w.recent))])
}

// search answers with the title that is most similar to what is asked for.
func (w *wiki) search(rw http.ResponseWriter, r *http.Request) {
	asked, best, least := r.FormValue("q"), "", -1
	row := make([]int, len(asked)+1)
	for _, title := range w.latest(1000) {
		if d := distance(title, asked, row); least < 0 || d < least { // however long the question is
			best, least = title, d
		}
	}
	io.WriteString(rw, best)
}

// distance returns how many letters have to be inserted, removed or replaced to make b of a. The row has a place for each letter of b, and one more.
func distance(a, b string, row []int) int {
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

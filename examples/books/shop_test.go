// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func euro() (map[string]float64, error) { return map[string]float64{"EUR": 2}, nil }

func TestEachBookIsFoundOnce(t *testing.T) {
	s := newShop(1000, euro)
	seen := map[string]bool{}
	for _, b := range s.find([]string{"sea", "old", "sea"}) {
		if seen[b.number] || !strings.Contains(b.title, "sea") && !strings.Contains(b.title, "old") {
			t.Errorf("%v", b)
		}
		seen[b.number] = true
	}
	if len(seen) == 0 {
		t.Error("nothing is found")
	}
}

func TestThePageHasALineForEachBook(t *testing.T) {
	got := page([]book{{"978-000000001", "the sea", 5}, {"978-000000002", "old man", 6.5}}, 2)
	want := "978-000000001  the sea                                     10.00\n978-000000002  old man                                     13.00\n"
	if got != want {
		t.Errorf("%q", got)
	}
}

func TestASearchIsAnswered(t *testing.T) {
	s := newShop(1000, euro)
	if err := s.rates.refresh(); err != nil {
		t.Fatal(err)
	}
	for url, code := range map[string]int{"/search?q=sea&currency=EUR": 200, "/search?q=sea&currency=ABC": 400} {
		w := httptest.NewRecorder()
		s.search(w, httptest.NewRequest("GET", url, nil))
		if w.Code != code || code == 200 && !strings.Contains(w.Body.String(), "sea") {
			t.Errorf("%s: %d, %s", url, w.Code, w.Body)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	s := newShop(8000, euro)
	for b.Loop() {
		s.find([]string{"sea", "old"})
	}
}

func BenchmarkPage(b *testing.B) {
	books := newShop(8000, euro).find([]string{"sea"})
	for b.Loop() {
		page(books, 2)
	}
}

// BenchmarkRate asks for a rate while the bank is being asked, which answers after a millisecond, or as soon as the rate is known.
func BenchmarkRate(b *testing.B) {
	for b.Loop() {
		asked, known, refreshed := make(chan bool), make(chan bool), make(chan bool)
		r := &rates{bank: func() (map[string]float64, error) {
			close(asked)
			select {
			case <-known:
			case <-time.After(time.Millisecond):
			}
			return euro()
		}}
		go func() {
			r.refresh()
			close(refreshed)
		}()
		<-asked
		r.of("EUR")
		close(known)
		<-refreshed
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

var words = []string{"a", "the", "of", "sea", "old", "man", "house", "night", "river", "last", "little", "black", "garden", "light", "story", "winter", "two", "bird", "long", "summer"}

// A book is known by its number.
type book struct {
	number, title string
	price         float64
}

// A shop finds books by the words in their titles.
type shop struct {
	index map[string][]book // the books whose title has a word
	rates *rates
}

// newShop returns a shop with that many books, which asks the bank for its rates.
func newShop(books int, bank func() (map[string]float64, error)) *shop {
	s := &shop{index: map[string][]book{}, rates: &rates{bank: bank}}
	for n := range books {
		title := []string{words[n%len(words)], words[n/7%len(words)], words[n/31%len(words)]}
		b := book{fmt.Sprintf("978-%09d", n), strings.Join(title, " "), float64(5 + n%40)}
		slices.Sort(title)
		for _, word := range slices.Compact(title) {
			s.index[word] = append(s.index[word], b)
		}
	}
	return s
}

func (s *shop) search(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	rate, ok := s.rates.of(query.Get("currency"))
	if !ok {
		http.Error(w, "unknown currency", http.StatusBadRequest)
		return
	}
	io.WriteString(w, page(s.find(strings.Fields(query.Get("q"))), rate))
}

// find returns the books whose title has one of the words, each once.
func (s *shop) find(words []string) []book {
	var found []book
	for _, word := range words {
		for _, b := range s.index[word] {
			if !slices.ContainsFunc(found, func(f book) bool { return f.number == b.number }) {
				found = append(found, b)
			}
		}
	}
	return found
}

// page returns a line for each book, with its price at a rate of exchange.
func page(books []book, rate float64) string {
	text := ""
	for _, b := range books[:min(len(books), 200)] {
		text += fmt.Sprintf("%s  %-40s %8.2f\n", b.number, b.title, b.price*rate)
	}
	return text
}

// SPDX-License-Identifier: BSD-3-Clause

// Plain is a small program that does not know of strobe: it counts the words of a text on several goroutines. strobe run says where
// its time goes.
package main

import (
	"flag"
	"fmt"
	"sort"
	"strings"
	"sync"
)

func main() {
	turns := flag.Int("turns", 40, "times that each goroutine counts the words of a text")
	flag.Parse()
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(n, *turns)
		}()
	}
	wg.Wait()
}

func work(n, turns int) {
	for range turns {
		words := count(text(10_000 * (n + 1)))
		if n == 0 && len(words) > 0 {
			longest(words)
		}
	}
	fmt.Println("goroutine", n, "is done")
}

// text returns a text of that many words.
func text(words int) string {
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "word%d ", i*7919%997)
	}
	return b.String()
}

func count(text string) map[string]int {
	words := map[string]int{}
	for word := range strings.FieldsSeq(text) {
		words[strings.ToUpper(word)]++
	}
	return words
}

// longest returns the longest word, the first one in order if there are several.
func longest(words map[string]int) string {
	all := make([]string, 0, len(words))
	for w := range words {
		all = append(all, w)
	}
	sort.Slice(all, func(i, j int) bool {
		if len(all[i]) != len(all[j]) {
			return len(all[i]) > len(all[j])
		}
		return all[i] < all[j]
	})
	return all[0]
}

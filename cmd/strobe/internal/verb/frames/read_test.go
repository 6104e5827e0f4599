// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestReadingShowsHowFarItIs(t *testing.T) {
	var shown []string
	c := &counted{r: strings.NewReader(strings.Repeat("x", 1000)), show: func(bytes int64) { shown = append(shown, reading("a.csv", bytes, 1000)) }}
	part := make([]byte, 250)
	for i := range 4 {
		if i > 0 {
			c.next = time.Unix(1, 0) // long ago
		}
		if n, err := c.Read(part); n != 250 || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := "[reading a.csv, 50 % reading a.csv, 75 % reading a.csv, 100 %]"; fmt.Sprint(shown) != want {
		t.Errorf("%v, want %s", shown, want)
	}
	c.next = time.Now().Add(time.Hour)
	if _, err := c.Read(part); err != io.EOF || len(shown) != 3 {
		t.Errorf("%v, shown before it is time: %v", err, shown)
	}
	if got := reading("standard\x1b input", 2_500_000, 0); strings.Contains(got, "\x1b") || !strings.HasSuffix(got, ", 2 MB") {
		t.Errorf("%q", got)
	}
}

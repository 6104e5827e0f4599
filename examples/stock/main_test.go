// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"database/sql"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

func TestRoutesAndQueriesAreShown(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("nothing is measured with strobe_off")
	}
	want := []string{"GET /item/{id}", "POST /item/{id}/take", "GET /scarce", "SELECT id, name, stock FROM item WHERE id = ?", "INSERT INTO taken (id) VALUES (?)", "sql commit"}
	for _, length := range []time.Duration{time.Second, 4 * time.Second, 16 * time.Second} { // the longer ones for a machine so busy that not everything happens in the first
		var out strings.Builder
		if err := run(&out, length, 20); err != nil {
			t.Fatal(err)
		}
		missing := ""
		for _, row := range want {
			if !strings.Contains(out.String(), "  "+row+"\n") {
				missing = row
			}
		}
		if missing == "" {
			return
		}
		if length > 10*time.Second {
			t.Errorf("no row %q in\n%s", missing, out.String())
		}
	}
}

func TestNoMoreIsTakenThanIsThere(t *testing.T) {
	db, err := sql.Open("sqlite", source(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := &service{db}
	if err := s.fill(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE item SET stock = 2 WHERE id = 3"); err != nil {
		t.Fatal(err)
	}
	codes := make([]int, 5)
	var all sync.WaitGroup
	for n := range codes {
		all.Go(func() {
			w := httptest.NewRecorder()
			s.routes().ServeHTTP(w, httptest.NewRequest("POST", "/item/3/take", nil))
			codes[n] = w.Code
		})
	}
	all.Wait()
	var stock, taken int
	if err := errors.Join(db.QueryRow("SELECT stock FROM item WHERE id = 3").Scan(&stock), db.QueryRow("SELECT count(*) FROM taken").Scan(&taken)); err != nil {
		t.Fatal(err)
	}
	if slices.Sort(codes); stock != 0 || taken != 2 || codes[1] != 200 || codes[2] != 500 {
		t.Errorf("answers %d, %d left, %d taken", codes, stock, taken)
	}
}

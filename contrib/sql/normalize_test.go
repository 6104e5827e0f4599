// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"SELECT * FROM t WHERE id = 1", "SELECT * FROM t WHERE id = ?"},
		{"select a,b\n\tfrom t1 where x=$1 and y = :name and z = @p1 and v = ?2 and w = ?", "select a, b from t1 where x=? and y = ? and z = ? and v = ? and w = ?"},
		{"SELECT 'it''s', E'it\\'s', N'x', U&'\\0041', $$a 'b' $1$$, $tag$ $$ $tag$, X'ff' FROM \"my 1 table\"", `SELECT ? FROM "my 1 table"`},
		{`SELECT 'C:\' AS path, 2`, "SELECT ? AS path, ?"},
		{"SELECT `a 1` FROM t", "SELECT `a 1` FROM t"},
		{"SELECT 1.5e-3, .5, 0x1F, 1_000, -7, a-7, a - 7 FROM t WHERE x > -1 AND y IN (-1, +2)", "SELECT ?, a-?, a - ? FROM t WHERE x > ? AND y IN (?)"},
		{"INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y'),(3, 'z');", "INSERT INTO t (a, b) VALUES (?)"},
		{"INSERT INTO t VALUES (1, now()), (2, now())", "INSERT INTO t VALUES (?, now())"},
		{"SELECT 1 -- the end\n/* a /* nested */ comment */ FROM t --", "SELECT ? FROM t"},
		{"SELECT a::text, @@version, b ->> 'key', c ? 'k', a[1] FROM t", "SELECT a::text, @@version, b ->> ?, c ? ?, a[?] FROM t"},
		{"SELECT ( 1 ), f ( a , b )", "SELECT (?), f (a, b)"},
		{"SELECT 'never closed", "SELECT ?"},
		{"SELECT $tag$ never closed", "SELECT ?"},
		{"SELECT /* never closed", "SELECT"},
		{"SELECT ü FROM größe WHERE x = 'ß'", "SELECT ü FROM größe WHERE x = ?"},
		{"/* nothing */ ;", "(empty query)"},
		{"", "(empty query)"},
		{")))", ")))"},
	} {
		if got := Normalize(c.query); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
		}
	}
}

func TestLongQueriesAreCut(t *testing.T) {
	columns := strings.Repeat("a_column_ü, ", 100)
	one, other := Normalize("SELECT "+columns+" x FROM t WHERE id = 5"), Normalize("SELECT "+columns+" x FROM t WHERE name = 5")
	if one == other || len(one) > longestName || !utf8.ValidString(one) || !strings.HasPrefix(one, "SELECT a_column") || !strings.Contains(one, " ... ") || !strings.HasSuffix(one, "WHERE id = ?") {
		t.Errorf("%q and %q", one, other)
	}
	if got := Normalize("INSERT INTO t VALUES " + strings.Repeat("(1, 'x'), ", 1<<20)); !strings.HasPrefix(got, "INSERT INTO t VALUES (?)") || len(got) > 40 { // what is cut leaves a part of a row
		t.Errorf("%q", got)
	}
}

func TestOnlyQueriesWithoutLiteralsAreKept(t *testing.T) {
	q := newQueries(Options{})
	q.statement("SELECT 1")
	q.statement("SELECT " + strings.Repeat("a", longestKnown))
	for range 2 {
		q.statement("SELECT $1")
	}
	if known := *q.known.Load(); len(known) != 1 || known["SELECT $1"].query == nil {
		t.Errorf("%d are kept", len(known))
	}
	for i := range 2 * mostKnown {
		q.statement("SELECT " + strings.Repeat("a", i))
	}
	if n := len(*q.known.Load()); n != mostKnown {
		t.Errorf("%d are kept, want %d", n, mostKnown)
	}
	if n := testing.AllocsPerRun(100, func() { q.statement("SELECT $1") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"SELECT 1", "a'b''c", "$a$b", "(,),(,)", "1e-5", "--\n/*", "E'\\", "?,?", "=-1", ") , )"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		name := Normalize(query)
		if len(name) > longestName || name == "" {
			t.Errorf("%q: %q", query, name)
		}
		if utf8.ValidString(query) && !utf8.ValidString(name) && len(query) < longestQuery {
			t.Errorf("%q: %q is no UTF-8", query, name)
		}
		if hidden := Normalize("SELECT '" + strings.ReplaceAll(query, "'", "''") + "' FROM t"); len(query) < longestQuery/2-50 && hidden != "SELECT ? FROM t" {
			t.Errorf("%q is not hidden: %q", query, hidden)
		}
	})
}

func BenchmarkNormalize(b *testing.B) {
	const query = "SELECT id, name, price FROM item WHERE shop = 17 AND name LIKE 'a%' ORDER BY price LIMIT 10"
	b.SetBytes(int64(len(query)))
	b.ReportAllocs()
	for b.Loop() {
		Normalize(query)
	}
}

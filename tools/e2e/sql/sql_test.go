// SPDX-License-Identifier: BSD-3-Clause

package sql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"

	"github.com/strobe-go/strobe"
	strobesql "github.com/strobe-go/strobe/contrib/sql"
	"github.com/strobe-go/strobe/profile"
)

// A reading has the calls and the times of the wait zones that were made after the first n, and of "sql ...".
func reading(n int) (calls map[string]uint64, took map[string]time.Duration) {
	s := strobe.TakeSnapshot()
	calls, took = map[string]uint64{}, map[string]time.Duration{}
	for i, z := range s.Zones {
		if !z.Wait || i < n && !strings.HasPrefix(z.Name, "sql ") {
			continue
		}
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if t.Zone == i {
					calls[z.Name] += t.Calls
					took[z.Name] += t.Total
				}
			}
		}
	}
	return calls, took
}

func TestPostgres(t *testing.T) {
	url := startPostgres(t)
	awaitServer(t, url)
	for _, name := range []string{"pgx", "postgres"} {
		t.Run(name, func(t *testing.T) {
			db := measured(t, name, url)
			waitsForTheServer(t, db)
			joinsTheUnit(t, db)
			endsWithItsContext(t, db)
		})
	}
	t.Run("the connection of pgx", func(t *testing.T) { copiesInto(t, url) })
	if *compare {
		t.Run("compared", func(t *testing.T) { compared(t, url) })
	} else {
		t.Log("the costs of zones are not compared: -compare does")
	}
}

// measured uses a table in all usual ways, with zones, and compares the results with those of a database without zones.
func measured(t *testing.T, name, url string) *sql.DB {
	t.Helper()
	bare, err := sql.Open(name, url)
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	want := use(t, bare, "$1", "$2")
	before := len(strobe.TakeSnapshot().Zones)
	earlier, _ := reading(before)
	db, err := strobesql.Open(name, url, strobesql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if got := use(t, db, "$1", "$2"); got != want {
		t.Errorf("with zones: %s\nwithout: %s", got, want)
	}
	calls, _ := reading(before)
	for zone, n := range map[string]uint64{
		"INSERT INTO item (id, name) VALUES (?)":                    51,
		"SELECT id, name FROM item WHERE id < ? ORDER BY id":        2,
		"SELECT count(*) FROM item WHERE id IN (?)":                 3,
		"SELECT nothing FROM item":                                  1, // an error
		"UPDATE item SET name = ? WHERE id = ?":                     1,
		"SELECT count(*) FROM item WHERE id IN (?) (rows)":          6, // a row and the end of each
		"SELECT id, name FROM item WHERE id < ? ORDER BY id (rows)": 2 * (10 + 1 + 1),
	} {
		if calls[zone] != n {
			t.Errorf("%s: %d calls, want %d", zone, calls[zone], n)
		}
	}
	for zone, n := range map[string]uint64{"sql begin": 2, "sql commit": 1, "sql rollback": 1} {
		if calls[zone]-earlier[zone] != n {
			t.Errorf("%s: %d calls, want %d", zone, calls[zone]-earlier[zone], n)
		}
	}
	if calls["sql connect"] == earlier["sql connect"] {
		t.Error("no connection was measured")
	}
	for zone := range calls {
		if strings.Contains(zone, "secret") {
			t.Errorf("a value is in the zone %q", zone)
		}
	}
	return db
}

// use returns what the program gets from a database.
func use(t *testing.T, db *sql.DB, p1, p2 string) string {
	t.Helper()
	var got strings.Builder
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.Exec("DROP TABLE IF EXISTS item"))
	must(db.Exec("CREATE TABLE item (id BIGINT PRIMARY KEY, name TEXT)"))
	must(nil, db.Ping())
	insert, err := db.Prepare("INSERT INTO item (id, name) VALUES (" + p1 + ", " + p2 + ")")
	must(nil, err)
	for i := range 50 {
		must(insert.Exec(i, fmt.Sprint("secret", i)))
	}
	must(nil, insert.Close())
	must(db.Exec("INSERT INTO item (id, name) VALUES (1001, 'secret'), (1002, 'it''s a secret')"))
	for i := range 2 {
		rows, err := db.Query("SELECT id, name FROM item WHERE id < "+p1+" ORDER BY id", 10)
		must(nil, err)
		types, err := rows.ColumnTypes()
		must(nil, err)
		for _, c := range types {
			length, hasLength := c.Length()
			nullable, known := c.Nullable()
			fmt.Fprintln(&got, c.Name(), c.DatabaseTypeName(), c.ScanType(), length, hasLength, nullable, known)
		}
		for rows.Next() {
			var id int64
			var name sql.NullString
			must(nil, rows.Scan(&id, &name))
			fmt.Fprintln(&got, i, id, name)
		}
		must(nil, rows.Err())
		must(nil, rows.Close())
	}
	for i := range 3 {
		var n int
		must(nil, db.QueryRow("SELECT count(*) FROM item WHERE id IN ("+strings.Repeat("1, ", i)+"2)").Scan(&n))
		fmt.Fprintln(&got, n)
	}
	_, err = db.Query("SELECT nothing FROM item")
	fmt.Fprintln(&got, err)
	for _, commit := range []bool{true, false} {
		tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil { // SQLite has no levels
			tx, err = db.Begin()
		}
		must(nil, err)
		if commit {
			must(tx.Exec("UPDATE item SET name = "+p1+" WHERE id = "+p2, "secret", 1001))
			must(nil, tx.Commit())
		} else {
			must(tx.Exec("DELETE FROM item"))
			must(nil, tx.Rollback())
		}
	}
	var n int
	must(nil, db.QueryRow("SELECT count(*) FROM item").Scan(&n))
	fmt.Fprintln(&got, n)
	return got.String()
}

// awaitServer waits until the server accepts connections.
func awaitServer(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for deadline := time.Now().Add(time.Minute); db.Ping() != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(db.Ping())
		}
	}
}

// waitsForTheServer checks that the time of a query is in its zones, whether the driver waits for rows or for the query.
func waitsForTheServer(t *testing.T, db *sql.DB) {
	t.Helper()
	_, before := reading(0)
	for range 2 {
		rows, err := db.Query("SELECT pg_sleep(0.05) FROM generate_series(1, 2)")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
		}
		if err := rows.Err(); err != nil {
			t.Error(err)
		}
		rows.Close()
	}
	_, after := reading(0)
	const query = "SELECT pg_sleep(?) FROM generate_series(?)"
	if took := after[query] + after[query+" (rows)"] - before[query] - before[query+" (rows)"]; took < 200*time.Millisecond {
		t.Errorf("the query took %v, although the server slept for 200 ms", took)
	}
}

// joinsTheUnit checks that queries on other goroutines are part of the unit in their context.
func joinsTheUnit(t *testing.T, db *sql.DB) {
	t.Helper()
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	span := strobe.NewRootZone("unit").Enter()
	ctx := strobe.ContextWithTask(t.Context(), strobe.CurrentTask())
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, err := db.ExecContext(ctx, "SELECT 1"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	span.Exit()
	links := 0
	for _, e := range strobe.TakeTimeline().Events {
		if e.Kind == profile.LinkEvent {
			links++
		}
	}
	if links < 2 {
		t.Errorf("%d spans are linked to the unit", links)
	}
}

// endsWithItsContext checks that queries are still cancelled, and that the connection can be used afterwards.
func endsWithItsContext(t *testing.T, db *sql.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, "SELECT pg_sleep(60)"); err == nil {
		t.Error("the query was not cancelled")
	}
	var one int
	if err := db.QueryRow("SELECT 1").Scan(&one); err != nil || one != 1 {
		t.Errorf("%d, %v", one, err)
	}
}

// copiesInto uses what only the connection of the driver has.
func copiesInto(t *testing.T, url string) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(strobesql.WrapConnector(stdlib.GetConnector(*config), strobesql.Options{}))
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE copied (n BIGINT)"); err != nil {
		t.Fatal(err)
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Raw(func(c any) error {
		c = c.(interface{ Unwrap() driver.Conn }).Unwrap()
		n, err := c.(*stdlib.Conn).Conn().CopyFrom(t.Context(), pgx.Identifier{"copied"}, []string{"n"}, pgx.CopyFromRows([][]any{{int64(1)}, {int64(2)}}))
		if n != 2 {
			t.Errorf("%d rows", n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

var compare = flag.Bool("compare", false, "compare the time of queries with zones and without")

// compared prints the ratio of the times of a query with zones and without, which take turns.
func compared(t *testing.T, url string) {
	bare, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	zones, err := strobesql.Open("pgx", url, strobesql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer zones.Close()
	for _, rows := range []int{1, 1000} {
		once := func(db *sql.DB) time.Duration {
			began := time.Now()
			for range 200 {
				r, err := db.Query("SELECT n FROM generate_series(1, $1::int) AS n", rows)
				if err != nil {
					t.Fatal(err)
				}
				var n int
				for r.Next() {
					r.Scan(&n)
				}
				if err := r.Err(); err != nil {
					t.Fatal(err)
				}
				r.Close()
			}
			return time.Since(began)
		}
		var ratios []float64
		for range 11 {
			ratios = append(ratios, float64(once(zones))/float64(once(bare)))
		}
		t.Logf("%d rows: %.3f", rows, ratios)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	_ "modernc.org/sqlite"

	"github.com/strobe-go/strobe"
	strobegrpc "github.com/strobe-go/strobe/contrib/grpc"
	strobesql "github.com/strobe-go/strobe/contrib/sql"
	"github.com/strobe-go/strobe/strobehttp"
	"github.com/strobe-go/strobe/strobeslog"
)

// BenchmarkDropIns measures what one line for a framework costs each request, query, call or record.
func BenchmarkDropIns(b *testing.B) { runRows(b, dropInRows()) }

// A dropIn does something n times, without and with zones.
type dropIn struct {
	name  string
	begin func(b *testing.B) (bare, with func(n int))
}

var dropIns = []dropIn{
	{"http-handler", handlers},
	{"http-loopback", httpServers},
	{"slog", loggers},
	{"sql", databases},
	{"grpc", grpcServers},
}

// dropInRows has two rows for each, bare and with zones, which are measured together, in turns.
func dropInRows() []row {
	var all []row
	for _, d := range dropIns {
		var measured [2]map[string]float64
		var first sync.Once
		for i, way := range []string{"bare", "zones"} {
			all = append(all, row{d.name + "/" + way, func(b *testing.B) {
				first.Do(func() { measured = compareWays(d.begin(b)) })
				once(b, func() map[string]float64 { return measured[i] })
			}})
		}
	}
	return all
}

// compareWays returns the figures of both ways, measured in turns of about 200 µs: few of them lose their processor on a busy machine.
func compareWays(bare, with func(n int)) [2]map[string]float64 {
	n := 1
	for bare(n); timed(with, n) < 1e5; n *= 2 {
		bare(n)
	}
	ratio, ns, base := inTurns(duelTurns, n, bare, with, nil) // of which the ratio is of neighbouring turns
	per := float64(n)
	allocs := func(f func(n int)) float64 { return testing.AllocsPerRun(5, func() { f(n) }) / per }
	return [2]map[string]float64{
		{"ns": base / per, "allocs": allocs(bare)},
		{"ns": ns / per, "allocs": allocs(with), "added-ns": (ratio - 1) * base / per, "of-bare": ratio},
	}
}

// A nowhere is a ResponseWriter that keeps nothing.
type nowhere struct{ header http.Header }

func (w nowhere) Header() http.Header         { return w.header }
func (w nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (w nowhere) WriteHeader(int)             {}

func smallMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /item/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "item") })
	return mux
}

// handlers are called without a network.
func handlers(b *testing.B) (bare, with func(n int)) {
	way := func(h http.Handler) func(n int) {
		r, err := http.NewRequest("GET", "/item/17", nil)
		if err != nil {
			b.Fatal(err)
		}
		w := nowhere{http.Header{}}
		return func(n int) {
			for range n {
				h.ServeHTTP(w, r)
			}
		}
	}
	return way(smallMux()), way(strobehttp.NewHandler(smallMux(), strobehttp.Options{}))
}

// httpServers answer one client over the loopback interface.
func httpServers(b *testing.B) (bare, with func(n int)) {
	way := func(h http.Handler) func(n int) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		s, client := &http.Server{Handler: h}, &http.Client{Transport: &http.Transport{}}
		go s.Serve(l)
		b.Cleanup(func() { client.CloseIdleConnections(); s.Close() })
		return func(n int) {
			for range n {
				answer, err := client.Get("http://" + l.Addr().String() + "/item/17")
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	}
	return way(smallMux()), way(strobehttp.NewHandler(smallMux(), strobehttp.Options{}))
}

// loggers write records of a unit.
func loggers(b *testing.B) (bare, with func(n int)) {
	root := strobe.NewRootZone("drop-ins unit")
	way := func(h slog.Handler) func(n int) {
		log := slog.New(h)
		return func(n int) {
			defer root.Enter().Exit()
			for range n {
				log.InfoContext(context.Background(), "taken", "item", 17)
			}
		}
	}
	return way(slog.NewJSONHandler(io.Discard, nil)), way(strobeslog.NewHandler(slog.NewJSONHandler(io.Discard, nil)))
}

// databases are SQLite's, in memory.
func databases(b *testing.B) (bare, with func(n int)) {
	way := func(db *sql.DB, err error) func(n int) {
		if err == nil {
			db.SetMaxOpenConns(1) // each connection has a database of its own
			b.Cleanup(func() { db.Close() })
			_, err = db.Exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (17, 'seventeen')")
		}
		if err != nil {
			b.Fatal(err)
		}
		return func(n int) {
			var name string
			for range n {
				if err := db.QueryRow("SELECT name FROM item WHERE id = ?", 17).Scan(&name); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	return way(sql.Open("sqlite", ":memory:")), way(strobesql.Open("sqlite", ":memory:", strobesql.Options{}))
}

// grpcServers answer one client over the loopback interface; both ends have zones.
func grpcServers(b *testing.B) (bare, with func(n int)) {
	way := func(so []grpc.ServerOption, do []grpc.DialOption) func(n int) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		s := grpc.NewServer(so...)
		grpc_health_v1.RegisterHealthServer(s, health.NewServer())
		go s.Serve(l)
		conn, err := grpc.NewClient(l.Addr().String(), append(do, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close(); s.Stop() })
		client := grpc_health_v1.NewHealthClient(conn)
		return func(n int) {
			for range n {
				if _, err := client.Check(b.Context(), new(grpc_health_v1.HealthCheckRequest)); err != nil {
					b.Fatal(fmt.Errorf("a call: %w", err))
				}
			}
		}
	}
	return way(nil, nil), way(strobegrpc.ServerOptions(strobegrpc.Options{}), strobegrpc.DialOptions(strobegrpc.Options{}))
}

// SPDX-License-Identifier: BSD-3-Clause

// Command stock is an HTTP service with a database, SQLite in a temporary folder, and 200 clients that look at the items of a warehouse and
// take them. Two lines measure it: one for the requests, one for the queries.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	strobesql "github.com/strobe-go/strobe/contrib/sql"
	_ "github.com/strobe-go/strobe/live/auto"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/strobehttp"
)

func main() {
	length := flag.Duration("for", 5*time.Second, "how long to serve")
	clients := flag.Int("clients", 200, "how many use the service at the same time")
	flag.Parse()
	if err := run(os.Stdout, *length, *clients); err != nil {
		log.Fatal(err)
	}
}

// run is the whole program.
func run(out io.Writer, length time.Duration, clients int) error {
	dir, err := os.MkdirTemp("", "stock")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	db, err := strobesql.Open("sqlite", source(dir), strobesql.Options{}) // instead of sql.Open
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(4)
	s := &service{db}
	if err := s.fill(); err != nil {
		return err
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: strobehttp.NewHandler(s.routes(), strobehttp.Options{})} // instead of s.routes()
	go server.Serve(l)
	defer server.Close()

	before := strobe.TakeSnapshot()
	ctx, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	answers, failed := visits(ctx, "http://"+l.Addr().String(), clients)
	fmt.Fprintf(out, "%d clients had %d answers\n\n", clients, answers)
	report(out, strobe.TakeSnapshot().Sub(before))
	waits := db.Stats()
	fmt.Fprintf(out, "\n%d of the queries waited for one of %d connections, %v on average\n", waits.WaitCount, waits.MaxOpenConnections,
		(waits.WaitDuration / time.Duration(max(1, waits.WaitCount))).Round(time.Microsecond))
	return failed
}

// visits lets clients use the service until ctx ends or an answer is no good one, and counts the answers.
func visits(ctx context.Context, url string, clients int) (answers int, failed error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	counts := make([]int, clients)
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-time.After(rand.N(400 * time.Millisecond)):
				}
				method, path := http.MethodGet, fmt.Sprintf("/item/%d", rand.N(items))
				switch rand.N(10) {
				case 0:
					path = "/scarce"
				case 1:
					method, path = http.MethodPost, path+"/take"
				}
				if err := visit(ctx, client, method, url+path); err != nil {
					if ctx.Err() == nil {
						cancel(err)
					}
					return
				}
				counts[n]++
			}
		})
	}
	all.Wait()
	for _, n := range counts {
		answers += n
	}
	if ctx.Err() != nil && context.Cause(ctx) != context.DeadlineExceeded {
		failed = context.Cause(ctx)
	}
	return answers, failed
}

func visit(ctx context.Context, client *http.Client, method, url string) error {
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, url, answer.Status, text)
	}
	return err
}

// report prints a row for each route and each query, over all connections, the most time first.
func report(out io.Writer, s strobe.Snapshot) {
	totals := s.Totals()
	slices.SortFunc(totals, func(a, b profile.ZoneStats) int { return cmp.Compare(b.Total, a.Total) })
	fmt.Fprintf(out, "%9s %7s %9s %9s  %s\n", "in all", "calls", "mean", "99 %", "route or query")
	for _, z := range totals {
		mean, ok := z.Mean()
		if !ok {
			continue
		}
		late := "-" // without a distribution
		if d, ok := z.Quantile(0.99); ok {
			late = d.Round(time.Microsecond).String()
		}
		fmt.Fprintf(out, "%9v %7d %9v %9s  %s\n", z.Total.Round(time.Millisecond), z.Calls, time.Duration(mean).Round(time.Microsecond), late, s.Zones[z.Zone].Name)
	}
}

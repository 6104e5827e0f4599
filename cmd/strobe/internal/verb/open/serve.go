// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/internal/guard"
)

// The policies of pages, beside those that they have themselves. A page that was written elsewhere has an origin of its own, and may
// load nothing.
const (
	ownPolicy   = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " + guard.Closed
	otherPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " + guard.Closed
)

// A server serves one file on the loopback interface.
type server struct {
	url  string
	http *http.Server
}

func serve(x shown) (*server, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{"http://" + on.Addr().String() + "/", &http.Server{Handler: handler(x), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0)}}
	go s.http.Serve(on)
	return s, nil
}

func (s *server) close() { s.http.Close() }

// handler answers with the page, and with the spans of a stretch of a timeline.
func handler(x shown) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		policy := otherPolicy
		if x.own {
			policy = ownPolicy
		}
		w.Header().Set("Content-Security-Policy", policy)
		if page, ok := x.by[r.FormValue("value")]; ok {
			w.Write(page)
			return
		}
		w.Write(x.page)
	})
	mux.HandleFunc("GET /spans", func(w http.ResponseWriter, r *http.Request) {
		from, err := strconv.ParseInt(r.FormValue("from"), 10, 64)
		to, err2 := strconv.ParseInt(r.FormValue("to"), 10, 64)
		if x.more == nil || err != nil || err2 != nil || from > to {
			http.Error(w, "from and to must be numbers of nanoseconds in a timeline", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(x.more.within(time.Duration(from), time.Duration(to)))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guard.Secure(w.Header())
		if status, why := guard.Refusal(r, nil); why != "" {
			http.Error(w, why, status)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

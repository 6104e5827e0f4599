// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/live"
)

// opened is whether somebody has opened the page.
var opened atomic.Bool

// servePage serves the live page. What makes it, which records spans and reads them, begins with the first request: it costs several
// times as much as the spans themselves.
func servePage(addr string) (s *http.Server, url string, err error) {
	on, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, "", err
	}
	page := sync.OnceValue(func() *live.Server {
		opened.Store(true)
		return live.New(live.Options{})
	})
	s = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { page().ServeHTTP(w, r) }),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	go s.Serve(on)
	return s, "http://" + on.Addr().String() + "/", nil
}

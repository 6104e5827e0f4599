// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_nopage

package attach

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/strobe-go/strobe/live"
	_ "github.com/strobe-go/strobe/live/auto" // serves the page for STROBE_HTTP
)

// servePage serves the live page. What makes it, which records spans and reads them, begins with the first request: it costs several
// times as much as the spans themselves.
func servePage(addr string) (page io.Closer, url string, err error) {
	on, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, "", err
	}
	server := sync.OnceValue(func() *live.Server {
		opened.Store(true)
		return live.New(live.Options{})
	})
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { server().ServeHTTP(w, r) }),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	go s.Serve(on)
	return s, "http://" + on.Addr().String() + "/", nil
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options are those of a Server. The zero value is the default.
type Options struct {
	Hosts []string // names of this machine under which requests are allowed, beside localhost and literal IP addresses
}

// A Server shows this program to the browsers and programs that ask. Make it with New, Serve or Handler. Safe for
// concurrent use.
type Server struct {
	options Options
	mux     http.ServeMux
	done    chan struct{}
	end     func()

	mu   sync.Mutex
	http *http.Server
	url  string
}

// New returns a server that listens nowhere: mount it like Handler, or call Listen.
func New(o Options) *Server {
	s := &Server{options: o, done: make(chan struct{})}
	s.end = sync.OnceFunc(func() { close(s.done) })
	s.mux.HandleFunc("GET /events", s.events)
	s.mux.HandleFunc("GET /", servePage)
	return s
}

// Handler returns a handler to mount in a server that the program has.
func Handler() http.Handler { return New(Options{}) }

// Serve listens on addr and answers until Close. See Server.Listen.
func Serve(addr string) (*Server, error) {
	s := New(Options{})
	if err := s.Listen(addr); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ServeHTTP answers a request whose path is relative to where the server is mounted.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if why := refusal(r, s.options.Hosts); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// DefaultAddr is where Listen listens if no address is given.
const DefaultAddr = "127.0.0.1:6061"

// Listen listens on addr, HOST:PORT, and answers in the background until Close. "" is DefaultAddr, and without a host it is
// the loopback interface; to be reachable from elsewhere, name an address of this machine. The port 0 stands for any that is
// free.
func (s *Server) Listen(addr string) error {
	if addr == "" {
		addr = DefaultAddr
	}
	if addr[0] == ':' {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.url = "http://" + l.Addr().String() + "/"
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	go s.http.Serve(l)
	return nil
}

// URL returns the address of the page, "" before Listen.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url
}

// Close ends all streams and stops listening.
func (s *Server) Close() error {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.http == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}

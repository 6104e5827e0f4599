// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/strobe-go/strobe/internal/guard"
)

// Options configure a Server. The zero value is the default.
type Options struct {
	// RecordBytes is the size of the recording that the server starts if recording is off. 0 means 8 MB; a negative value leaves
	// recording off. Close turns it off again, unless another viewer still uses it or it was replaced: see strobe.KeepRecording.
	RecordBytes int64

	// StoreBytes is the memory that the frames may use: the latest ones and the 20 longest. 0 means 16 MB; with a negative value
	// the server keeps only the latest frame of each loop and the longest. When the memory is used up, up to half of it holds the
	// spans of the latest and the longest frames, at most 16384 of each. If root zones are called, half of the memory is for their
	// calls, and as much again holds the spans of those that have not ended. Messages, plots and what the runtime did in the latest hour
	// take up to 8 MB beside it; the page shows the sum.
	StoreBytes int64

	// Budget is how long a frame may take. Viewers mark those that take longer; 0 or less lets them choose.
	Budget time.Duration

	// Hosts are host names for which requests are allowed, without ports, in addition to localhost and literal IP addresses:
	// those by which a browser reaches the program through a proxy, for instance. Pages of these hosts may send commands. Whoever
	// can reach such a host sees what this program measures and can turn it off, unless the proxy asks for a password.
	Hosts []string
}

func (o Options) filled() Options {
	if o.RecordBytes == 0 {
		o.RecordBytes = 8 << 20
	}
	switch {
	case o.StoreBytes == 0:
		o.StoreBytes = 16 << 20
	case o.StoreBytes < 0:
		o.StoreBytes = 1 // a store keeps the two frames in any case
	}
	o.Budget = max(o.Budget, 0)
	return o
}

// A Server shows this program to browsers and other programs. Make it with New or Serve. It reads the recording once a
// second, and up to 60 times a second while somebody is watching. Safe for concurrent use.
type Server struct {
	options   Options
	run       string // unique to this server
	collector *collector
	mux       http.ServeMux
	places    chan struct{} // for downloads
	patience  time.Duration // with a viewer that does not read
	done      chan struct{}
	end       func()
	listener  listener
}

// New returns a server that does not listen: mount it in another server, with http.StripPrefix, or call Listen. It works
// until Close.
func New(o Options) *Server {
	o = o.filled()
	s := &Server{options: o, run: newRun(), collector: newCollector(o), places: make(chan struct{}, mostDownloads), patience: 10 * time.Second,
		done: make(chan struct{})}
	s.end = sync.OnceFunc(func() {
		close(s.done)
		s.collector.close()
	})
	s.mux.HandleFunc("GET /events", s.events)
	s.mux.HandleFunc("GET /spans", s.spans)
	s.mux.HandleFunc("GET /unit", s.unit)
	s.mux.HandleFunc("GET /capture", s.capture)
	s.mux.HandleFunc("GET /snapshot.json", s.snapshot)
	s.mux.HandleFunc("GET /trace", s.trace)
	s.mux.HandleFunc("GET /profile", s.profile)
	s.mux.HandleFunc("POST /command", s.command)
	s.mux.HandleFunc("GET /", s.page)
	return s
}

func newRun() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Handler returns a handler to mount in an existing server:
//
//	mux.Handle("/strobe/", http.StripPrefix("/strobe", live.Handler()))
//
// It is New with these Options.Hosts, and works for the life of the process. Behind a proxy that passes on its own host name,
// give that name.
func Handler(hosts ...string) http.Handler { return New(Options{Hosts: hosts}) }

// Serve listens on addr and answers in the background until Close. See Server.Listen.
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
	if r.ContentLength != 0 { // what is left of a body is read before the next request, also if nobody asked for it
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.patience)) // if not supported, the server's own limit applies
	}
	guard.Secure(w.Header())
	if status, why := guard.Refusal(r, s.options.Hosts); why != "" {
		http.Error(w, why, status)
		return
	}
	unhurried(w)
	select {
	case <-s.done:
		http.Error(w, "the server is closed", http.StatusServiceUnavailable)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// Close ends all streams, stops listening and reading, and ends the recording as Options.RecordBytes says. It returns when no
// goroutine of the server is left, except for requests passed on by another server. It returns the error of the listener.
// Calls after the first do nothing.
func (s *Server) Close() error {
	s.end()
	return s.listener.close()
}

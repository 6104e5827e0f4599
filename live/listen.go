// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// DefaultAddr is where Listen listens if no address is given.
const DefaultAddr = "127.0.0.1:6061"

// Listen listens on addr, HOST:PORT, and answers in the background until Close. "" is DefaultAddr. Without a host it listens
// on the loopback interface only; to be reachable from other machines, name an address of this machine. Port 0 selects any
// free port; see URL. A server listens once: a second call, or a call after Close, returns an error.
func (s *Server) Listen(addr string) error {
	select {
	case <-s.done:
		return errors.New("live: the server is closed")
	default:
	}
	return s.listener.listen(addr, s)
}

// URL returns the address of the page; "" before Listen.
func (s *Server) URL() string { return s.listener.address() }

// A listener is what a server needs if it is not mounted in another.
type listener struct {
	mu    sync.Mutex
	http  *http.Server
	url   string
	ended sync.WaitGroup
}

func (l *listener) listen(addr string, h http.Handler) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.http != nil {
		return errors.New("live: the server already listens at " + l.url)
	}
	if addr == "" {
		addr = DefaultAddr
	}
	if addr[0] == ':' {
		addr = "127.0.0.1" + addr
	}
	on, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	if on.Addr() == nil {
		on.Close()
		return errors.New("live: getsockname is refused, so that it is not known where the page would be; allow it")
	}
	l.url = "http://" + on.Addr().String() + "/"
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.ended.Add(1)
		defer l.ended.Done()
		h.ServeHTTP(w, r)
	})
	l.http = &http.Server{Handler: counted, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0), ConnContext: withConnection,
		ConnState: (&connections{most: affordable(descriptors())}).changed}
	l.ended.Add(1)
	go func() {
		defer l.ended.Done()
		if err := l.http.Serve(on); !errors.Is(err, http.ErrServerClosed) {
			log.Printf("live: %s is not answered any more: %v", l.url, err)
		}
	}()
	return nil
}

func (l *listener) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.url
}

// close waits a second for requests that are being answered.
func (l *listener) close() error {
	l.mu.Lock()
	server := l.http
	l.mu.Unlock()
	if server == nil {
		return nil
	}
	err := context.DeadlineExceeded
	for n := 0; n < 10 && errors.Is(err, context.DeadlineExceeded); n++ { // in parts, so that a pause of the process costs only one of them
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/10)
		err = server.Shutdown(ctx)
		cancel()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	l.ended.Wait()
	return err
}

// streamBuffer is how much of a stream the system is to hold for a viewer that does not read.
const streamBuffer = 32 << 10

type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// boundBuffer bounds what the system holds of a stream, if the connection is known: systems let it grow to megabytes, and
// until it is full nothing shows that the viewer does not read.
func boundBuffer(r *http.Request) {
	if c, ok := r.Context().Value(connectionKey{}).(*net.TCPConn); ok {
		c.SetWriteBuffer(streamBuffer)
	}
}

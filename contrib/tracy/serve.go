// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
)

// DefaultAddr is the address at which Serve listens if none is given: Tracy's own port.
const DefaultAddr = "127.0.0.1:8086"

// Options configure a Server. The zero value is useful.
type Options struct {
	// Loop is the loop whose iterations are Tracy's frames; "" means the first one to call strobe.Frame. Other loops are
	// frame sets with their names.
	Loop string

	// RecordBytes is the size of the recording that Serve starts if recording is off. 0 means 16 MB; a negative value leaves
	// recording off. Close turns it off again, unless another viewer still uses it or it was replaced: see strobe.KeepRecording.
	RecordBytes int64
}

// A Server waits for Tracy. Make it with Serve. Safe for concurrent use.
type Server struct {
	options  Options
	listener net.Listener
	unrecord func() // releases the recording
	stop     chan struct{}
	ended    sync.WaitGroup
	close    func() error

	mu      sync.Mutex
	conn    map[net.Conn]bool // all of them
	tracy   net.Conn          // the connection that is served; nil if there is none
	place   chan struct{}     // taken by it
	refused error
}

// handover is how long a Tracy waits for another one to go. Tracy itself waits for the answer without a limit.
const handover = time.Second

// mostConnections bounds the connections that have not identified themselves yet.
const mostConnections = 16

// Serve listens on addr, HOST:PORT, and serves one Tracy at a time in the background until Close. "" means DefaultAddr;
// without a host it listens on the loopback interface only. It returns an error if it cannot listen, or in a program built
// with the tag strobe_off.
func Serve(addr string, o Options) (*Server, error) {
	if !strobe.Enabled {
		return nil, errors.New("strobetracy: built with -tags strobe_off: nothing is measured; build without that tag")
	}
	if addr == "" {
		addr = DefaultAddr
	}
	if addr[0] == ':' {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("strobetracy: %w", err)
	}
	s := &Server{options: o, listener: l, stop: make(chan struct{}), conn: make(map[net.Conn]bool), place: make(chan struct{}, 1)}
	if o.RecordBytes == 0 {
		o.RecordBytes = 16 << 20
	}
	s.unrecord = strobe.KeepRecording(o.RecordBytes)
	s.close = sync.OnceValue(s.end)
	s.ended.Add(1)
	go s.accept()
	return s, nil
}

// Addr returns the address on which the server listens.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Refused returns why the latest refused connection was refused: another Tracy was connected, or it spoke another version of
// the protocol, which the error names. It returns nil if none was refused.
func (s *Server) Refused() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// Close tells Tracy that the program ends, waits up to two seconds for its last queries, and stops listening. It ends the
// recording as Options.RecordBytes says. It returns the error of the listener. Later calls return the same error.
func (s *Server) Close() error { return s.close() }

func (s *Server) end() error {
	err := s.listener.Close()
	close(s.stop)
	s.mu.Lock()
	for c := range s.conn {
		if c != s.tracy { // which is told first
			c.Close()
		}
	}
	s.mu.Unlock()
	s.ended.Wait()
	s.unrecord()
	return err
}

func (s *Server) accept() {
	defer s.ended.Done()
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(100 * time.Millisecond) // out of descriptors, most likely
			continue
		}
		if !s.add(c) {
			c.Close()
			continue
		}
		s.ended.Add(1)
		go func() {
			defer s.ended.Done()
			defer s.remove(c)
			s.serve(c)
		}()
	}
}

func (s *Server) add(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stop:
		return false
	default:
	}
	if len(s.conn) >= mostConnections {
		return false
	}
	s.conn[c] = true
	return true
}

func (s *Server) remove(c net.Conn) {
	c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conn, c)
}

func (s *Server) serve(c net.Conn) {
	d, version, err := handshake(c)
	switch {
	case err != nil || version == 0:
		return // not a Tracy
	case d == nil:
		c.Write([]byte{mismatch})
		s.refuse(fmt.Errorf("strobetracy: refused Tracy with protocol %d: this package speaks %s", version, spoken()))
	case !s.occupy(c):
		c.Write([]byte{notAvailable})
		s.refuse(errors.New("strobetracy: refused Tracy: another one is connected"))
	default:
		defer s.release()
		newSession(c, d, s.options.Loop).run(s.stop)
	}
}

func (s *Server) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = err
}

// occupy makes a connection the one that is served. When Tracy reconnects, its previous connection may not have ended yet, so
// occupy waits a moment for that.
func (s *Server) occupy(c net.Conn) bool {
	late := time.NewTimer(handover)
	defer late.Stop()
	select {
	case s.place <- struct{}{}:
	case <-late.C:
		return false
	case <-s.stop:
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tracy = c
	return true
}

func (s *Server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tracy = nil
	<-s.place
}

// spoken lists the supported versions.
func spoken() string {
	text := ""
	for i, d := range dialects {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("%d (Tracy %s)", d.version, d.release)
	}
	return text
}

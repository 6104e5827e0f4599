// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	readEvery  = 10 * time.Millisecond
	aliveEvery = 5 * time.Second  // without events, Tracy needs a keep-alive
	patience   = 10 * time.Second // for a Tracy that does not read, or has not identified itself
	goodbye    = 2 * time.Second  // for its last queries
)

// A session is one connection.
type session struct {
	conn    net.Conn
	e       *encoder
	read    func(*profile.Timeline)
	reading profile.Timeline
	threads threads
	names   names
	loop    string // whose frames are Tracy's own
	sent    time.Time
}

// handshake returns the dialect of the Tracy at the other end; nil, and the version, if it is not supported.
func handshake(conn net.Conn) (d *dialect, version uint32, err error) {
	conn.SetDeadline(time.Now().Add(patience))
	var hello [len(shibboleth) + 4]byte
	if _, err := io.ReadFull(conn, hello[:]); err != nil {
		return nil, 0, err
	}
	if string(hello[:len(shibboleth)]) != shibboleth {
		return nil, 0, nil
	}
	version = le.Uint32(hello[len(shibboleth):])
	return speaks(version), version, nil
}

// run sends everything that is recorded, then new events until Tracy disconnects or stop is closed.
func (s *session) run(stop <-chan struct{}) {
	conn := &patient{s.conn}
	s.threads, s.names = newThreads(), newNames()
	first := &s.reading
	s.read(first)
	begin := first.At
	for i := range first.Events {
		begin = min(begin, first.Events[i].Start)
	}
	host, _ := os.Hostname()
	program := filepath.Base(os.Args[0])
	hello := append([]byte{welcome}, greeting(begin, begin, time.Now().Add(-first.At.Sub(begin)), os.Getpid(), program, host)...)
	if _, err := conn.Write(hello); err != nil {
		return
	}
	s.conn.SetReadDeadline(time.Time{})
	s.e.w, s.sent = conn, time.Now()
	queries := make(chan query)
	left := make(chan struct{})
	defer close(left)
	go listen(s.conn, queries, left)
	s.send(first)
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for s.e.err == nil {
		select {
		case q, ok := <-queries:
			if !ok || !s.names.answer(s.e, q) {
				return
			}
			s.flush()
		case <-tick.C:
			s.next()
		case <-stop:
			s.leave(queries)
			return
		}
	}
}

// mostEvents is the number of events for which room is kept between readings: the first reading may return the whole
// recording.
const mostEvents = 1 << 16

// next takes a reading and sends it.
func (s *session) next() {
	if cap(s.reading.Events) > mostEvents {
		s.reading.Events = nil
	}
	s.read(&s.reading)
	s.send(&s.reading)
}

// send sends a reading.
func (s *session) send(t *profile.Timeline) {
	s.names.learn(t)
	s.threads.add(s.e, t)
	for i := range t.Events {
		e := &t.Events[i]
		lane := -1
		if e.Lane >= 0 && e.Lane < len(t.Lanes) {
			lane = t.Lanes[e.Lane].ID
		}
		switch e.Kind {
		case profile.FrameEvent:
			s.frame(e)
		case profile.PlotEvent:
			s.e.on(number(lane))
			s.e.plot(e.Start, s.names.address(e.Name), e.Value)
		case profile.MessageEvent:
			s.e.on(number(lane))
			s.e.message(e.Start, e.Name)
		}
	}
	if len(s.e.events) == 0 && time.Since(s.sent) > aliveEvery {
		s.e.code(s.e.d.keepAlive)
	}
	s.flush()
}

// frame sends an iteration of a loop. Tracy has one set of frames without a name, which it shows first.
func (s *session) frame(e *profile.Event) {
	if s.loop == "" {
		s.loop = e.Name
	}
	name := uint64(0)
	if e.Name != s.loop {
		name = s.names.address(e.Name)
	}
	s.e.frame(e.Start, name)
}

func (s *session) flush() {
	if len(s.e.events) > 0 {
		s.sent = time.Now()
	}
	s.e.flush()
}

// leave sends the remaining events, ends open zones and answers the last queries.
func (s *session) leave(queries <-chan query) {
	s.next()
	now := clock.Now()
	for id, th := range s.threads.all {
		if len(th.open) > 0 {
			s.e.on(number(id))
			th.close(s.e, 0, now)
		}
	}
	s.e.code(s.e.d.terminate)
	s.e.flush()
	enough := time.After(goodbye)
	for s.e.err == nil {
		select {
		case q, ok := <-queries:
			if !ok || !s.names.answer(s.e, q) {
				return
			}
			s.e.flush()
		case <-enough:
			return
		}
	}
}

// listen passes on Tracy's queries until the connection ends or left is closed.
func listen(conn net.Conn, queries chan<- query, left <-chan struct{}) {
	defer close(queries)
	r := bufio.NewReader(conn)
	var b [querySize]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return
		}
		select {
		case queries <- parseQuery(&b):
		case <-left:
			return
		}
	}
}

// A patient connection waits a limited time for the other end to read.
type patient struct{ net.Conn }

func (c *patient) Write(b []byte) (int, error) {
	c.SetWriteDeadline(time.Now().Add(patience))
	return c.Conn.Write(b)
}

// newSession returns a session for everything that strobe records.
func newSession(conn net.Conn, d *dialect, loop string) *session {
	return &session{conn: conn, e: &encoder{d: d}, read: new(strobe.TimelineReader).ReadInto, loop: loop}
}

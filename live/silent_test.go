// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// silent connects a viewer that never reads.
func silent(t *testing.T, url, query string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET /events%s HTTP/1.1\r\nHost: localhost\r\n\r\n", query)
	return conn
}

// places returns the number of viewers, and how many have lost their place but not ended yet.
func places(s *Server) (viewers, leaving int) {
	s.collector.mu.Lock()
	defer s.collector.mu.Unlock()
	return len(s.collector.viewers), s.collector.leaving
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for start := time.Now(); !holds(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			t.Fatal("not after two minutes: " + what)
		}
	}
}

func TestSilentViewersLockNobodyOut(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "watched by many")
	reading := watch(t, s, "?loop=watched+by+many")
	last := until(reading, "frames", func(f framesData) bool { return !f.Backlog && len(f.Frames) > 0 }).Frames[0][0]
	for i := range mostViewers {
		silent(t, s.URL(), "?rate=1")
		eventually(t, "a silent viewer has a place", func() bool {
			n, leaving := places(s)
			return n+leaving >= min(i+2, mostViewers)
		})
	}
	var id string
	for m, ok := reading.next(); ok; m, ok = reading.next() { // it was connected first
		if m.event == "bye" {
			t.Error("bye, though the server is not closed")
		}
		id = m.id
	}
	// The first viewer loses its place; if it reads, it connects again like a browser.
	again := watch(t, s, "?loop=watched+by+many", "Last-Event-ID", id)
	if f := until(again, "frames", func(f framesData) bool { return len(f.Frames) > 0 }); f.Frames[0][0] < last {
		t.Errorf("frame %d after the stream had reached %d", f.Frames[0][0], last)
	}
	for range mostViewers - 1 { // as many as there are silent ones
		until(watch(t, s, "?rate=1"), "hello", always[hello])
	}
	f := until(again, "frames", func(f framesData) bool { return !f.Backlog && len(f.Frames) > 0 })
	until(again, "frames", func(later framesData) bool { return len(later.Frames) > 0 && later.Frames[0][0] > f.Frames[0][0]+10 })
	eventually(t, "the silent viewers have ended", func() bool {
		n, leaving := places(s)
		return n == mostViewers && leaving == 0
	})
}

// A crowded connection belongs to a viewer that loses its place just when it is given time to read.
type crowded struct {
	http.ResponseWriter
	deadlines, written int
	arrive             func()
}

func (c *crowded) SetWriteDeadline(time.Time) error {
	if c.deadlines++; c.deadlines == 2 { // the first deadline is that of the request
		c.arrive()
	}
	return nil
}

func (c *crowded) Flush() {}

func (c *crowded) Write(b []byte) (int, error) {
	c.written += len(b)
	return len(b), nil
}

func TestAViewerThatLostItsPlaceIsNotGivenTime(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	c := &crowded{ResponseWriter: httptest.NewRecorder(), arrive: func() {
		for range mostViewers {
			s.collector.add(&viewer{c: s.collector, every: time.Second, news: make(chan struct{}, 1), displaced: make(chan struct{}), hurry: func() {}})
		}
	}}
	r := httptest.NewRequest("GET", "/events", nil)
	r.Host = "localhost"
	if s.ServeHTTP(c, r); c.deadlines < 3 || c.written > 0 {
		t.Errorf("%d deadlines, %d bytes written", c.deadlines, c.written)
	}
}

// A counter counts the bytes written to a viewer.
type counter struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes.Add(int64(n))
	return n, err
}

func TestTheSystemHoldsLittleOfAStreamThatIsNotRead(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	s.patience = 50 * time.Millisecond
	var bytes atomic.Int64
	outer := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(counter{w, &bytes}, r)
	}))
	outer.Config.ConnContext = withConnection
	outer.Start()
	defer outer.Close()
	conn := silent(t, outer.URL, "")
	if c, ok := conn.(*net.TCPConn); ok {
		c.SetReadBuffer(4 << 10)
	}
	text := strings.Repeat("long ", 200)
	eventually(t, "the viewer has connected", func() bool { n, _ := places(s); return n == 1 })
	eventually(t, "it is let go", func() bool {
		for range 100 {
			strobe.Message(text)
		}
		n, _ := places(s)
		return n == 0
	})
	if n := bytes.Load(); n > 1<<20 {
		t.Errorf("%d bytes were sent to a viewer that does not read", n)
	}
}

func TestViewersThatCannotBeEndedAreLimited(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	c, hurried := s.collector, 0
	all := make([]*viewer, 2*mostViewers)
	for i := range all {
		all[i] = &viewer{c: c, every: time.Second, news: make(chan struct{}, 1), displaced: make(chan struct{}), hurry: func() { hurried++ }}
		if !c.add(all[i]) {
			t.Fatalf("viewer %d is refused", i)
		}
	}
	if n, leaving := places(s); n != mostViewers || leaving != mostViewers || hurried != mostViewers {
		t.Errorf("%d viewers, %d leaving, %d told to", n, leaving, hurried)
	}
	if c.add(&viewer{}) {
		t.Error("a viewer beyond those that do not end is not refused")
	}
	for _, v := range all {
		c.remove(v)
	}
	if n, leaving := places(s); n != 0 || leaving != 0 {
		t.Errorf("in the end %d viewers, %d leaving", n, leaving)
	}
}

// A viewer that does not read neither delays others nor costs memory.
func TestAViewerThatDoesNotReadDelaysNobody(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "not read")
	for range 20 {
		if c, ok := silent(t, s.URL(), "").(*net.TCPConn); ok {
			c.SetReadBuffer(1 << 10)
		}
	}
	c := watch(t, s, "?loop=not+read")
	f := until(c, "frames", func(f framesData) bool { return !f.Backlog && len(f.Frames) > 0 })
	first := f.Frames[0][0]
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	until(c, "frames", func(f framesData) bool { return len(f.Frames) > 0 && f.Frames[len(f.Frames)-1][0] > first+1500 })
	if after := heap(); after > before+20<<20 {
		t.Errorf("20 viewers that do not read: the heap grew from %d to %d bytes", before, after)
	}
}

// pipes is a listener whose connections have no buffers.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func TestAViewerThatDoesNotReadIsLetGo(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	s.patience = 50 * time.Millisecond
	on := make(pipes)
	outer := http.Server{Handler: s}
	ended := make(chan struct{})
	go func() { outer.Serve(on); close(ended) }()
	defer func() { close(on); outer.Close(); <-ended }()
	for range 3 {
		here, there := net.Pipe()
		defer here.Close()
		on <- there
		fmt.Fprintf(here, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		io.ReadFull(here, make([]byte, 300)) // a part of the first message
	}
	eventually(t, "viewers that do not read are let go", func() bool { n, _ := places(s); return n == 0 })
}

// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// hello connects like a Tracy with that protocol version and returns the answer.
func hello(t *testing.T, s *Server, version uint32) (net.Conn, byte) {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := c.Write(binary.LittleEndian.AppendUint32([]byte(shibboleth), version)); err != nil {
		t.Fatal(err)
	}
	var answer [1]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		t.Fatal(err)
	}
	return c, answer[0]
}

func ask(t *testing.T, c net.Conn, kind byte, ptr uint64) {
	t.Helper()
	b := binary.LittleEndian.AppendUint64([]byte{kind}, ptr)
	if _, err := c.Write(append(b, 0, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
}

func serve(t *testing.T) *Server {
	t.Helper()
	s, err := Serve("127.0.0.1:0", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestATracySeesTheProgram(t *testing.T) {
	zone := strobe.NewZone("seen by Tracy")
	for _, d := range dialects {
		s := serve(t)
		lane := strobe.NewLane("lane of " + d.release)
		for range 100 {
			lane.Enter(zone).Exit()
		}
		strobe.Frame("loop of " + d.release)
		c, answer := hello(t, s, d.version)
		if answer != welcome {
			t.Fatalf("the answer is %d", answer)
		}
		greeting := make([]byte, 1170+16)
		if _, err := io.ReadFull(c, greeting); err != nil {
			t.Fatal(err)
		}
		if program, _, _ := bytes.Cut(greeting[82:82+programNameSize], []byte{0}); !strings.Contains(string(program), "tracy") {
			t.Errorf("the program is called %q", program)
		}
		x := newDecoder(t, &d)
		until := func(what string, ok func() bool) {
			t.Helper()
			for !ok() {
				b, err := unpack(c)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				x.block(b)
			}
		}
		count := func() (n int, thread uint32, at uint64) {
			for id, zones := range x.zones {
				if len(zones) >= 100 {
					n, thread, at = len(zones), id, zones[0].location
				}
			}
			return n, thread, at
		}
		until("spans from before", func() bool { n, _, _ := count(); return n == 100 })
		for range 50 {
			lane.Enter(zone).Exit()
		}
		open := lane.Enter(zone)
		until("spans from now", func() bool { n, _, _ := count(); return n == 150 })
		_, thread, at := count()
		ask(t, c, querySourceLocation, at)
		until("place", func() bool { return len(x.places) == 1 })
		ask(t, c, queryString, x.places[0][0])
		ask(t, c, queryString, x.places[0][1])
		ask(t, c, queryThreadName, uint64(thread))
		ask(t, c, querySourceCode, 1)
		ask(t, c, queryFrameName, 1<<50)
		until("names", func() bool { return len(x.texts) >= 4 })
		if x.texts[x.places[0][0]] != "seen by Tracy" || !strings.HasSuffix(x.texts[x.places[0][1]], "serve_test.go") || x.places[0][2] == 0 ||
			x.texts[uint64(thread)] != "lane of "+d.release || x.texts[1<<50] != "(unknown)" {
			t.Errorf("%v %v", x.places, x.texts)
		}
		if len(x.frames[0]) != 1 {
			t.Errorf("frames: %v", x.frames)
		}
		closed := make(chan error)
		go func() { closed <- s.Close() }()
		until("the end", func() bool { return x.ended })
		if n, _, _ := count(); n != 151 {
			t.Errorf("%d zones at the end; the open one must end too", n)
		}
		ask(t, c, queryTerminate, 0)
		if err := <-closed; err != nil {
			t.Error(err)
		}
		open.Exit()
		lane.Close()
		if strobe.Recording() != 0 {
			t.Error("the recording goes on")
		}
	}
}

func TestOtherConnectionsAreRefused(t *testing.T) {
	s := serve(t)
	if _, answer := hello(t, s, 75); answer != mismatch {
		t.Errorf("the answer to an unknown version is %d", answer)
	}
	eventually(t, func() bool {
		err := s.Refused()
		return err != nil && strings.Contains(err.Error(), "75") && strings.Contains(err.Error(), "0.14")
	})
	first, answer := hello(t, s, 82)
	if answer != welcome {
		t.Fatalf("the answer is %d", answer)
	}
	if _, answer := hello(t, s, 82); answer != notAvailable {
		t.Errorf("the answer to a second Tracy is %d", answer)
	}
	eventually(t, func() bool { return strings.Contains(s.Refused().Error(), "another") })
	first.Close()
	eventually(t, func() bool { _, answer := hello(t, s, 76); return answer == welcome })
	stranger, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	stranger.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
	stranger.SetReadDeadline(time.Now().Add(time.Minute))
	if n, err := stranger.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("a browser gets %d bytes", n)
	}
}

// The server may not know yet that the previous connection has ended.
func TestATracyMayConnectAgainAtOnce(t *testing.T) {
	s := serve(t)
	for i := range 50 {
		c, answer := hello(t, s, 82)
		if answer != welcome {
			t.Fatalf("connection %d: the answer is %d", i, answer)
		}
		c.Close()
	}
}

// eventually waits until the server has done something in the background.
func eventually(t *testing.T, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := Serve("127.0.0.1:0", Options{RecordBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	hello(t, s, 82)                          // sends nothing further
	silent, err := net.Dial("tcp", s.Addr()) // sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	eventually(t, func() bool { return runtime.NumGoroutine() <= before })
	if _, err := net.Dial("tcp", s.Addr()); err == nil {
		t.Error("it listens still")
	}
	if _, err := Serve("256.0.0.1:1", Options{}); err == nil || !strings.HasPrefix(err.Error(), "strobetracy: ") {
		t.Errorf("an address that is none: %v", err)
	}
}

func TestWithoutAHostOnlyThisMachineConnects(t *testing.T) {
	s, err := Serve(":0", Options{RecordBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if host, _, err := net.SplitHostPort(s.Addr()); err != nil || host != "127.0.0.1" {
		t.Errorf("it listens on %s, %v", s.Addr(), err)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/race"
)

// counted ends a thousand spans, and fails the test unless the server says so.
func counted(t *testing.T, s *Server) {
	t.Helper()
	z := strobe.NewZone("counted")
	for range 1000 {
		z.Do(func() {})
	}
	a, err := http.Get(s.URL() + "snapshot.json")
	if err != nil {
		t.Error(err)
		return
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if text := string(b); err != nil || a.StatusCode != 200 || !strings.Contains(text, `"counted"`) || !strings.Contains(text, `"calls":1000`) {
		t.Errorf("%v, %v: %s", a.Status, err, text)
	}
}

// skipUnlessCallsDiffer skips t where package syscall makes one system call of all that are about sockets.
func skipUnlessCallsDiffer(t *testing.T) {
	if runtime.GOARCH == "386" || runtime.GOARCH == "s390x" {
		t.Skip("on this processor, all system calls about sockets are the same one, so that none of them can be refused")
	}
}

// The other system calls of this package cannot be refused: the runtime needs them.
func TestAServerSaysWhichCallIsRefused(t *testing.T) {
	skipUnlessCallsDiffer(t)
	for name, call := range map[string]uint32{"socket": unix.SYS_SOCKET, "bind": unix.SYS_BIND, "listen": unix.SYS_LISTEN,
		"setsockopt": unix.SYS_SETSOCKOPT, "getsockname": unix.SYS_GETSOCKNAME} {
		for _, e := range child.Errors(!testing.Short() && !race.Enabled) {
			t.Run(name+" "+unix.ErrnoName(e), func(t *testing.T) {
				if !child.Process(t) {
					return
				}
				child.Refuse(t, e, call)
				s := New(Options{})
				if err := s.Listen("127.0.0.1:0"); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") || s.URL() != "" {
					t.Errorf("%v, %q", err, s.URL())
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestAServerAnswersWhatIsRefusedLater(t *testing.T) {
	skipUnlessCallsDiffer(t)
	for _, c := range []struct {
		name  string
		calls []uint32
	}{
		{"listening", []uint32{unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_SETSOCKOPT, unix.SYS_GETSOCKNAME}},
		{"measuring", []uint32{unix.SYS_GETRUSAGE, unix.SYS_CLOCK_GETTIME, unix.SYS_PRLIMIT64}},
		{"files", []uint32{unix.SYS_OPENAT}},
	} {
		for _, e := range child.Errors(!testing.Short() && !race.Enabled) {
			if c.name == "files" && e == unix.EINTR {
				continue // package os tries again without end
			}
			t.Run(c.name+" "+unix.ErrnoName(e), func(t *testing.T) {
				if !child.Process(t) {
					return
				}
				if c.name == "files" && testing.CoverMode() != "" {
					t.Skip("coverage is written into a file")
				}
				s := New(Options{})
				if err := s.Listen("127.0.0.1:0"); err != nil {
					t.Fatal(err)
				}
				child.Refuse(t, e, c.calls...)
				counted(t, s)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Package net tries again without end if it is interrupted.
func TestAServerThatMayNotAcceptSaysSo(t *testing.T) {
	skipUnlessCallsDiffer(t)
	if !child.Process(t) {
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	log.SetOutput(w)
	child.Refuse(t, unix.EPERM, unix.SYS_ACCEPT4)
	s := New(Options{})
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 300)
	n, err := r.Read(line)
	if text := string(line[:n]); err != nil || !strings.Contains(text, s.URL()+" is not answered any more: ") || !strings.Contains(text, "accept4: operation not permitted") {
		t.Errorf("%q, %v", text, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAServerWithoutDescriptors(t *testing.T) {
	for _, limit := range []int{5, 64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			giveBack := child.ExhaustDescriptors(t, limit)
			s := New(Options{})
			defer s.Close()
			if err := s.Listen("127.0.0.1:0"); err == nil || !strings.Contains(err.Error(), "too many open files") || s.URL() != "" {
				t.Errorf("%v, %q", err, s.URL())
			}
			if limit == 5 {
				return // they were open before
			}
			giveBack()
			if err := s.Listen("127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
			counted(t, s)
		})
	}
}

// While the program has no descriptor left, requests wait for one.
func TestARequestWaitsForADescriptor(t *testing.T) {
	if !child.Process(t) {
		return
	}
	s := New(Options{})
	defer s.Close()
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	address, err := net.ResolveTCPAddr("tcp4", strings.Trim(strings.TrimPrefix(s.URL(), "http:"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	client, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(client)
	giveBack := child.ExhaustDescriptors(t, 64)
	if err := unix.Connect(client, &unix.SockaddrInet4{Port: address.Port, Addr: [4]byte(address.IP.To4())}); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.Write(client, []byte("GET /snapshot.json HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	poll := []unix.PollFd{{Fd: int32(client), Events: unix.POLLIN}}
	if n, err := unix.Poll(poll, 200); n != 0 || err != nil && err != unix.EINTR {
		answer := make([]byte, 100)
		n, _ := unix.Read(client, answer)
		t.Errorf("%+v, %v: it was answered without a descriptor: %q", poll, err, answer[:max(0, n)])
	}
	giveBack()
	answer := make([]byte, 100)
	if n, err := unix.Read(client, answer); err != nil || !bytes.HasPrefix(answer[:n], []byte("HTTP/1.1 200 OK")) {
		t.Errorf("%q, %v", answer[:n], err)
	}
}

// Whoever connects to the page and says nothing takes descriptors of the program.
func TestConnectionsLeaveTheProgramItsDescriptors(t *testing.T) {
	for limit, clients := range map[int]int{64: 30, 1024: 400} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.LimitDescriptors(t, limit)
			s := New(Options{})
			defer s.Close()
			if err := s.Listen("127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
			for i := range clients {
				conn, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(s.URL(), "http:"), "/"))
				if err != nil {
					t.Fatal(i, err)
				}
				defer conn.Close()
			}
			counted(t, s)
			files, err := filepath.Glob("/proc/self/fd/*")
			if err != nil || len(files) == 0 {
				t.Fatal("the system does not tell which files are open: ", err)
			}
			sockets := 0
			for _, f := range files {
				if to, _ := os.Readlink(f); strings.HasPrefix(to, "socket:") {
					sockets++
				}
			}
			if most := clients + affordable(limit) + 3; sockets > most { // that of the page, and one connection to ask for the counts
				t.Errorf("%d sockets, want at most %d", sockets, most)
			}
		})
	}
}

func TestStreamsThatAreNotReadLeaveTheProgramItsDescriptors(t *testing.T) {
	if !child.Process(t) {
		return
	}
	child.LimitDescriptors(t, 64)
	s := serve(t, Options{})
	for range 30 {
		silent(t, s.URL(), "?rate=1")
		time.Sleep(time.Millisecond)
	}
	eventually(t, "the page answers", answers(s)) // streams that lost their place take a connection until they have ended
	counted(t, s)
	until(watch(t, s, "?rate=1"), "hello", always[hello])
}

// Each of these requests announces a body that never comes: the page has no room for others until it gives them up.
func TestRequestsWhoseBodyDoesNotComeLockNobodyOut(t *testing.T) {
	if !child.Process(t) {
		return
	}
	child.LimitDescriptors(t, 64)
	s := New(Options{})
	s.patience = 100 * time.Millisecond
	defer s.Close()
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	const most = 64 / 4
	for i := range most {
		conn, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(s.URL(), "http:"), "/"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		host := []string{"localhost", "elsewhere.example"}[i%2] // which is refused
		fmt.Fprintf(conn, "GET /snapshot.json HTTP/1.1\r\nHost: %s\r\nContent-Length: 9\r\n\r\n", host)
	}
	time.Sleep(s.patience / 2) // until they have been read
	eventually(t, "the page answers", answers(s))
}

// answers returns a function that asks the page for something.
func answers(s *Server) func() bool {
	return func() bool {
		a, err := http.Get(s.URL() + "snapshot.json")
		if err == nil {
			a.Body.Close()
		}
		return err == nil
	}
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobehttp

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

var quiet = log.New(io.Discard, "", 0)

func TestEachHostIsAWaitZone(t *testing.T) {
	c := begin()
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		time.Sleep(30 * time.Millisecond)
		io.WriteString(w, strings.Repeat("x", 100))
	}))
	client := &http.Client{Transport: NewTransport(nil, TransportOptions{})}
	for range 3 {
		response, err := client.Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || len(text) != 100 {
			t.Fatalf("%q, %v", text, err)
		}
	}
	host := "http " + s.Listener.Addr().String()
	calls := c.waits()
	if calls[host] != 3 || calls[host+" (body)"] < 3 || len(calls) != 2 {
		t.Errorf("%v", calls)
	}
	snapshot := strobe.TakeSnapshot()
	for i, z := range snapshot.Zones[c.before:] {
		if z.Name != host+" (body)" {
			continue
		}
		for _, l := range snapshot.Lanes {
			for _, totals := range l.Zones {
				if totals.Zone == c.before+i && totals.Total < 60*time.Millisecond {
					t.Errorf("reading took %v, although the server waited for three times 30 ms", totals.Total)
				}
			}
		}
	}
}

// transportFunc answers without a network.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestHostsAreBounded(t *testing.T) {
	c := begin()
	empty := transportFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	})
	ask := func(tr http.RoundTripper, i int) *http.Response {
		response, err := tr.RoundTrip(httptest.NewRequest("GET", fmt.Sprintf("http://host%d/", i), nil))
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	tr := NewTransport(empty, TransportOptions{Zones: 2})
	for i := range 9 {
		if ask(tr, i).Body != http.NoBody {
			t.Error("an empty body is not http.NoBody any more")
		}
	}
	expect(t, "waits", c.waits(), map[string]uint64{"http host0": 1, "http host1": 1, "http (other hosts)": 7})
	c = begin()
	tr = NewTransport(empty, TransportOptions{Name: func(r *http.Request) string { return "billing" }})
	for i := range 9 {
		ask(tr, i)
	}
	expect(t, "waits", c.waits(), map[string]uint64{"billing": 9})
}

type closer struct {
	transportFunc
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

func TestTheTransportDoesWhatTheBareOneDoes(t *testing.T) {
	base := &closer{transportFunc: func(r *http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }}
	client := &http.Client{Transport: NewTransport(base, TransportOptions{})}
	client.CloseIdleConnections()
	if base.closed != 1 {
		t.Error("idle connections stay open")
	}
	if _, err := client.Get("http://x/"); err == nil || !strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Errorf("error %v", err)
	}
	if _, err := NewTransport(nil, TransportOptions{}).RoundTrip(&http.Request{}); err == nil {
		t.Error("a request without URL is no error")
	}
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		rw.Flush()
		line, _ := rw.ReadString('\n')
		rw.WriteString(line)
		rw.Flush()
	}))
	r, err := http.NewRequest("GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "echo")
	response, err := NewTransport(nil, TransportOptions{}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	conn, ok := response.Body.(io.ReadWriteCloser)
	if !ok {
		t.Fatalf("after the protocol was switched, nothing can be written to %T", response.Body)
	}
	io.WriteString(conn, "hello\n")
	if text, err := io.ReadAll(conn); err != nil || string(text) != "hello\n" {
		t.Errorf("%q, %v", text, err)
	}
}

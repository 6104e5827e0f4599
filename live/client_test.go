// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client reads a stream of messages.
type client struct {
	t    testing.TB
	body io.ReadCloser
	in   *bufio.Reader
	stop *time.Timer
}

type message struct {
	event, id string
	data      []byte
}

// framesData is the data of a "frames" message.
type framesData struct {
	At      int64      `json:"at_ns"`
	Lanes   [][2]any   `json:"lanes"`
	Paths   [][4]int32 `json:"paths"`
	Frames  [][]int64  `json:"frames"`
	Runtime []*int64   `json:"runtime"`
	History [][]*int64 `json:"history"`
	Plots   [][3]any   `json:"plots"`
	Texts   [][3]any   `json:"messages"`
	Units   [][]any    `json:"units"`
	Gone    []uint64   `json:"gone"`
	Freed   []uint64   `json:"unsampled"`
	Columns [][]int64  `json:"columns"`
	Reset   bool       `json:"reset"`
	Reports []any      `json:"reports"`
	Splits  [][5]int64 `json:"splits"`
	Notes   [][]any    `json:"notes"`
	Lost    uint64     `json:"lost"`
	Backlog bool       `json:"backlog"`
}

// watch connects a client; the test fails if it takes minutes.
func watch(t testing.TB, s *Server, query string, headers ...string) *client {
	t.Helper()
	r, err := http.NewRequest("GET", s.URL()+"events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	transport := &http.Transport{DisableKeepAlives: true}
	a, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s, %v", a.Status, a.Header)
	}
	in := bufio.NewReader(a.Body)
	if head, err := in.ReadString('\n'); err != nil || head+"\n" != retry {
		t.Fatalf("the stream begins with %q, %v", head, err)
	}
	in.ReadString('\n')
	c := &client{t: t, body: a.Body, in: in, stop: time.AfterFunc(2*time.Minute, func() { a.Body.Close() })}
	t.Cleanup(c.close)
	return c
}

func (c *client) close() {
	c.stop.Stop()
	c.body.Close()
}

// next returns the next message; ok is false at the end of the stream.
func (c *client) next() (m message, ok bool) {
	for {
		text, err := c.in.ReadString('\n')
		if err != nil {
			return m, false
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(text, "\n"), ": ")
		switch name {
		case "event":
			m.event = value
		case "id":
			m.id = value
		case "data":
			m.data = []byte(value)
		case "":
			if !json.Valid(m.data) {
				c.t.Fatalf("%s: not JSON: %.200q", m.event, m.data)
			}
			return m, true
		default:
			c.t.Fatalf("a line %.100q", text)
		}
	}
}

// until returns the data of the next message of that kind for which done holds.
func until[T any](c *client, event string, done func(T) bool) (data T) {
	c.t.Helper()
	for {
		m, ok := c.next()
		if !ok {
			c.t.Fatalf("the stream ended, or nothing came, before the %s that was waited for", event)
		}
		if m.event != event {
			continue
		}
		var x T
		if err := json.Unmarshal(m.data, &x); err != nil {
			c.t.Fatalf("%s: %v: %.300s", event, err, m.data)
		}
		if done(x) {
			return x
		}
	}
}

func always[T any](T) bool { return true }

// framesIn returns the data of all "frames" messages.
func framesIn(t *testing.T, b []byte) (all []framesData) {
	t.Helper()
	for _, m := range strings.Split(string(b), "\n\n") {
		if text, found := strings.CutPrefix(m, "event: frames\n"); found {
			_, data, _ := strings.Cut(text, "data: ")
			var f framesData
			if err := json.Unmarshal([]byte(data), &f); err != nil {
				t.Fatal(err)
			}
			all = append(all, f)
		}
	}
	return all
}

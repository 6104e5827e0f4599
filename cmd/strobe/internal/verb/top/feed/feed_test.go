// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

const greeting = `event: hello
id: r:0
data: {"version":1,"program":"p","pid":1,"run":"r","loops":["a"],"loop":"a","enabled":true,"zones":[{"name":"z"}]}

`

// program serves what f writes after the headers of a stream.
func program(t *testing.T, f func(w http.ResponseWriter, r *http.Request)) Source {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		f(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return Source{URLs: []string{server.URL + "/"}, Name: "the program", Rate: 5}
}

func TestMessagesAreRead(t *testing.T) {
	source := program(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, ": a comment\r\nretry: 5\r\n\r\n"+greeting)
		io.WriteString(w, `event: frames
id: r:7
data: {"at_ns":50,"paths":[[1,0,-1,2]],"frames":[[6,10,20,1,2,5,9],
data: [7,30,9]],"runtime":[2,300,null,4096,5],"plots":[["q",40,2.5]],"lost":3,"backlog":true}

event: nonsense
data: {

event: state
data: {"at_ns":60,"rate_hz":59.5,"totals":[[0,4,500,400,700],[1,1,2,null]],"notes":["n"]}

event: bye
data: {}

`)
	})
	stream, err := Open(t.Context(), source, "")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var all []Message
	for {
		m, err := stream.Next()
		if err != nil {
			if err.Error() != "the connection ended" {
				t.Error(err)
			}
			break
		}
		all = append(all, m)
	}
	if len(all) != 5 || all[0].Hello == nil || all[1].Frames == nil || all[2] != (Message{}) || all[3].State == nil || !all[4].Bye {
		t.Fatalf("%+v", all)
	}
	if h := all[0].Hello; h.Program != "p" || h.Run != "r" || h.Budget != nil || len(h.Zones) != 1 || !h.Enabled {
		t.Errorf("%+v", h)
	}
	f := all[1].Frames
	if fmt.Sprint(f.Frames) != "[{6 10 20 [1 2 5]} {7 30 9 []}]" || f.Runtime.Latency != nil || f.Runtime.Heap != 4096 || f.Paths[0] != (Path{1, 0, -1, 2}) || f.Plots[0] != (Plot{"q", 2.5}) || f.Lost != 3 || !f.Backlog {
		t.Errorf("%+v, %+v", f, f.Runtime)
	}
	if s := all[3].State; *s.Rate != 59.5 || s.P99 != nil || fmt.Sprint(s.Totals[0].Zone, s.Totals[0].Calls, s.Totals[0].Total, *s.Totals[0].Self, *s.Totals[0].Sum, s.Totals[1].Self, s.Totals[1].Sum) != "0 4 500 400 700 <nil> <nil>" {
		t.Errorf("%+v", s)
	}
	if stream.ID != "r:7" {
		t.Errorf("ID %q", stream.ID)
	}
}

func TestWhatIsNoProgramIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       string
		final      bool
	}{
		"another":        {200, "text/html", "<html>", `is not a strobe program: it sends "text/html", not events`, true},
		"nothing there":  {404, "text/plain", "404 page not found\n", "HTTP status 404 Not Found: 404 page not found; is this where the program serves strobe?", true},
		"refused":        {403, "text/plain", "this name of the host\x1b[2J is not allowed\nmore", "HTTP status 403 Forbidden: this name of the host?[2J is not allowed", true},
		"full":           {503, "text/plain", "64 viewers are watching", "HTTP status 503 Service Unavailable: 64 viewers", false},
		"moved":          {302, "text/html", "<html>", "HTTP status 302 Found", true},
		"other events":   {200, "text/event-stream", "event: tick\ndata: 1\n\n", "its first message is not hello", true},
		"later version":  {200, "text/event-stream", strings.Replace(greeting, `"version":1`, `"version":2`, 1), "version 2 is not known", true},
		"broken":         {200, "text/event-stream", "event: hello\ndata: {\"version\":\n\n", "cannot be read", true},
		"ends at once":   {200, "text/event-stream", "", "the connection ended", true},
		"ends in a line": {200, "text/event-stream", "event: hello\ndata: {", "the connection ended", true},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				w.Header().Set("Location", "http://example.com/")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			defer server.Close()
			_, err := Open(t.Context(), Source{URLs: []string{server.URL + "/"}, Name: "here"}, "")
			var fault *Fault
			if !errors.As(err, &fault) || fault.Final != c.final || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestWhereNothingListensIsNamed(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	closed := server.URL + "/"
	server.Close()
	_, err := Open(t.Context(), Source{URLs: []string{closed, closed}, Name: "both ports"}, "")
	var fault *Fault
	if !errors.As(err, &fault) || fault.Final || err.Error() != "nothing listens at both ports" {
		t.Error(err)
	}
}

func TestTheFirstProgramThatAnswersIsTaken(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	good := program(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, greeting) })
	stream, err := Open(t.Context(), Source{URLs: []string{other.URL + "/", good.URLs[0]}}, "")
	if err != nil || stream.URL != good.URLs[0] {
		t.Fatal(err)
	}
	stream.Close()
}

// A program that never ends a line or a message must not fill the memory.
func TestMessagesWithoutEndAreRefused(t *testing.T) {
	for name, piece := range map[string]string{"one line": strings.Repeat("x", 1<<16), "many lines": "data: " + strings.Repeat("x", 1<<16) + "\n", "names": "event: " + strings.Repeat("x", 1<<16) + "\n"} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			source := program(t, func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, greeting+"event: frames\ndata: ")
				for range 4096 { // 256 MiB
					if _, err := io.WriteString(w, piece); err != nil {
						return
					}
					sent.Add(int64(len(piece)))
				}
			})
			stream, err := Open(t.Context(), source, "")
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			stream.Next() // hello
			if _, err := stream.Next(); !errors.Is(err, errTooLong) || sent.Load() > 4*messageBytes {
				t.Errorf("%v after %d bytes", err, sent.Load())
			}
		})
	}
}

func TestWhatAMessageHoldsIsBounded(t *testing.T) {
	zones := strings.Repeat(`{"name":"`+strings.Repeat("n", 300)+`"},`, maxZones+1) + `{"name":"a\u001b[2Jb"}`
	m, err := read(event{name: "hello", data: []byte(`{"version":1,"loops":[` + strings.Repeat(`"l",`, maxNames) + `"l"],"zones":[` + zones + `]}`)})
	if err != nil || len(m.Hello.Zones) != maxZones || len(m.Hello.Loops) != maxNames || len([]rune(m.Hello.Zones[0].Name)) != maxText {
		t.Errorf("%v", err)
	}
	m, err = read(event{name: "frames", data: []byte(`{"frames":[` + strings.Repeat(`[1,2,3],`, maxFrames) + `[9,9,9]]}`)})
	if err != nil || len(m.Frames.Frames) != maxFrames || m.Frames.Frames[maxFrames-1].Number != 9 {
		t.Error(err)
	}
	for _, bad := range []string{`{"frames":[[1]]}`, `{"frames":[["a",1,2]]}`, `{"frames":[{}]}`, `{"frames":[[1.5,2,3]]}`, `{"frames":[3]}`, `{"runtime":[1]}`, `{"plots":[5]}`, `[]`, `{"frames":[[1e99,1,1]]}`} {
		if m, err := read(event{name: "frames", data: []byte(bad)}); err == nil {
			t.Errorf("%s: %+v", bad, m.Frames)
		}
	}
	if _, err := read(event{name: "state", data: []byte(`{"totals":[[1,2]]}`)}); err == nil {
		t.Error("a total of two numbers")
	}
	if m, err = read(event{name: "hello", data: []byte(`{"version":1,"program":"a\u001b[2Jb"}`)}); err != nil || m.Hello.Program != "a?[2Jb" {
		t.Errorf("%v, %+v", err, m.Hello)
	}
}

func TestUnitsAreRead(t *testing.T) {
	var u Unit
	if err := json.Unmarshal([]byte(`[7, 10,20,3,35,1,0, ["route","/cart\u001b","odd"], 0,1,20, 4,2,9, 5]`), &u); err != nil {
		t.Fatal(err)
	}
	want := Unit{Frame: Frame{7, 10, 20, []int64{0, 1, 20, 4, 2, 9}}, Slow: true, Notes: []profile.Note{{Key: "route", Value: "/cart?"}}}
	if !reflect.DeepEqual(u, want) {
		t.Errorf("%+v, want %+v", u, want)
	}
	if err := json.Unmarshal([]byte(`[7,10,20,3,35,1,0,[`+strings.Repeat(`"k","v",`, 1000)+`"k","v"]]`), &u); err != nil || len(u.Notes) != maxNotes {
		t.Errorf("%d notes, %v", len(u.Notes), err)
	}
	for _, text := range []string{`{}`, `[]`, `[1,2,3,4,5,6,7]`, `[1,2,3,4,5,6,7,8]`, `[1,2,3,4,5,6,7,[1]]`, `["x",2,3,4,5,6,7,[]]`, `[1,2,3,4,5,6,7,[],"x"]`, `[1,2,3,4,5,6,7,[],1.5,1,1]`} {
		if err := json.Unmarshal([]byte(text), new(Unit)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func TestASilentProgramIsGivenUp(t *testing.T) {
	source := program(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, greeting)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	stream, err := Open(t.Context(), source, "")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	stream.Next()
	stream.silent = 20 * time.Millisecond
	if _, err := stream.Next(); err == nil || err.Error() != "no data arrived for 20ms" {
		t.Error(err)
	}
}

func TestAProgramThatDoesNotAnswerIsGivenUp(t *testing.T) {
	for name, begin := range map[string]bool{"no status": false, "no message": true} {
		source := program(t, func(w http.ResponseWriter, r *http.Request) {
			if begin {
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		})
		source.patience = 50 * time.Millisecond
		_, err := Open(t.Context(), source, "")
		var fault *Fault
		if !errors.As(err, &fault) || !strings.HasSuffix(err.Error(), "50ms") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWatchConnectsAgainAndResumes(t *testing.T) {
	var visits atomic.Int64
	resumed := make(chan string, 100)
	source := program(t, func(w http.ResponseWriter, r *http.Request) {
		resumed <- r.Header.Get("Last-Event-ID") + " " + r.URL.RawQuery
		io.WriteString(w, strings.Replace(greeting, "id: r:0", fmt.Sprintf("id: r:%d", visits.Add(1)), 1))
		if visits.Load() == 2 {
			io.WriteString(w, "event: bye\ndata: {}\n\n")
		}
	})
	source.Loop = "a b"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var said []string
	err := Watch(ctx, source, func(l Link, m Message) {
		switch {
		case l.Err != nil:
			said = append(said, l.Err.Error())
		case l.URL != "":
			said = append(said, "connected")
		case m.Hello != nil:
			said = append(said, "hello")
		}
		if len(said) == 8 {
			cancel()
		}
	})
	want := "connected hello the connection ended connected hello the program has closed its server connected hello"
	if got := strings.Join(said, " "); err != nil || got != want {
		t.Errorf("%v, %s", err, got)
	}
	for _, want := range []string{" loop=a+b&rate=5", "r:1 loop=a+b&rate=5", "r:2 loop=a+b&rate=5"} {
		if got := <-resumed; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWatchGivesUpWhereThereIsNoProgram(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	err := Watch(t.Context(), Source{URLs: []string{server.URL + "/"}}, func(l Link, m Message) { t.Errorf("%+v", l) })
	var fault *Fault
	if !errors.As(err, &fault) || !fault.Final {
		t.Error(err)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("event: hello\ndata: {}\n\n")
	f.Add(greeting + "event: frames\ndata: {\"frames\":[[1,2,3]]}\n\nevent: state\ndata: {\"totals\":[[1,2,3,4]]}\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := newEvents(strings.NewReader(text))
		for {
			ev, err := e.next()
			if err != nil {
				return
			}
			if m, err := read(ev); err == nil && m.Hello != nil && len([]rune(m.Hello.Program)) > maxText {
				t.Error("a long name")
			}
		}
	})
}

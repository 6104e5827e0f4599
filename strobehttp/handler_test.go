// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobehttp

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// A tally has the calls of the zones that were made after it began, by name.
type tally struct{ before int }

func begin() tally { return tally{len(strobe.TakeSnapshot().Zones)} }

// Calls that ended or are open.
func (c tally) units() map[string]uint64 {
	return c.count(func(z profile.ZoneInfo) bool { return z.Root })
}

func (c tally) waits() map[string]uint64 {
	return c.count(func(z profile.ZoneInfo) bool { return z.Wait })
}

func (c tally) count(is func(profile.ZoneInfo) bool) map[string]uint64 {
	s := strobe.TakeSnapshot()
	calls := map[string]uint64{}
	for i, z := range s.Zones[c.before:] {
		if !is(z) {
			continue
		}
		calls[z.Name] += 0
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if t.Zone == c.before+i {
					calls[z.Name] += t.Calls + uint64(t.Open)
				}
			}
		}
	}
	return calls
}

func expect(t *testing.T, what string, got, want map[string]uint64) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// needLanes skips a test where goroutines share a lane, without open spans and tasks.
func needLanes(t *testing.T) {
	t.Helper()
	span := strobe.NewRootZone("lanes").Enter()
	defer span.Exit()
	if strobe.CurrentTask() == (strobe.Task{}) {
		t.Skip("in this build goroutines share a lane, which has no open spans and no tasks")
	}
}

// serve starts a server, which logs no panics.
func serve(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = quiet
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func get(t testing.TB, url string, header ...string) string {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEachPatternIsARootZone(t *testing.T) {
	c := begin()
	api := http.NewServeMux()
	api.HandleFunc("/api/v1/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Pattern) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /item/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) })
	mux.Handle("/api/", NewHandler(api, Options{})) // its own patterns, not that of the outer one
	mux.Handle("/alone", NewHandler(http.NotFoundHandler(), Options{}))
	var seen string
	wrapped := NewHandler(mux, Options{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped.ServeHTTP(w, r)
		seen = r.Pattern
	}))
	for i := range 5 {
		if id := get(t, s.URL+fmt.Sprint("/item/", i)); id != fmt.Sprint(i) {
			t.Errorf("path value %q", id)
		}
	}
	if seen != "GET /item/{id}" {
		t.Errorf("around the handler the pattern is %q", seen)
	}
	if p := get(t, s.URL+"/api/v1/x"); p != "/api/v1/" {
		t.Errorf("inner pattern %q", p)
	}
	get(t, s.URL+"/alone")
	for i := range 50 { // a scanner
		get(t, s.URL+fmt.Sprintf("/wp-admin/%d.php", i))
	}
	expect(t, "units", c.units(), map[string]uint64{"GET /item/{id}": 5, "/api/": 1, "/api/v1/": 1, "/alone": 2, "(no route)": 50})
}

func TestRoutesAreBounded(t *testing.T) {
	c := begin()
	h := NewHandler(http.NotFoundHandler(), Options{Zones: 3, Pattern: func(r *http.Request) string { return r.URL.Path }})
	for i := range 100 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", fmt.Sprint("/", i), nil))
	}
	expect(t, "units", c.units(), map[string]uint64{"/0": 1, "/1": 1, "/2": 1, "(other routes)": 97})
	NewHandler(http.NotFoundHandler(), Options{}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/x", nil))
	if c.units()["request"] != 1 {
		t.Errorf("without a pattern: %v", c.units())
	}
}

func TestTheDefaultMuxIsTheDefault(t *testing.T) {
	c := begin()
	NewHandler(nil, Options{}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/nothing", nil))
	expect(t, "units", c.units(), map[string]uint64{"(no route)": 1})
}

func TestTheResponseWriterIsTheServers(t *testing.T) {
	var bare, wrapped http.ResponseWriter
	keep := func(into *http.ResponseWriter) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			*into = w
			_, flushes := w.(http.Flusher)
			_, hijacks := w.(http.Hijacker)
			_, reads := w.(io.ReaderFrom)
			deadline := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour))
			fmt.Fprintf(w, "%T %v %v %v %v", w, flushes, hijacks, reads, deadline)
		})
	}
	want, got := get(t, serve(t, keep(&bare)).URL), get(t, serve(t, NewHandler(keep(&wrapped), Options{})).URL)
	if got != want || !strings.HasSuffix(got, "true true true <nil>") {
		t.Errorf("got %q, want %q", got, want)
	}
	w := httptest.NewRecorder()
	NewHandler(keep(&wrapped), Options{}).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if wrapped != http.ResponseWriter(w) {
		t.Errorf("the handler got %T", wrapped)
	}
}

func TestAUnitEndsWhenAHandlerPanics(t *testing.T) {
	c := begin()
	zInner := strobe.NewZone("inner")
	mux := http.NewServeMux()
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) {
		zInner.Enter() // whose Exit is skipped
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/fine", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "fine") })
	s := serve(t, NewHandler(mux, Options{}))
	if answer := get(t, s.URL+"/panic"); !strings.Contains(answer, "EOF") {
		t.Errorf("the client got %q", answer)
	}
	if answer := get(t, s.URL+"/fine"); answer != "fine" {
		t.Errorf("afterwards the client got %q", answer)
	}
	s.Close()
	expect(t, "units", c.units(), map[string]uint64{"/panic": 1, "/fine": 1})
	for _, l := range strobe.TakeSnapshot().Lanes {
		for _, z := range l.Zones {
			if z.Zone >= c.before && z.Open > 0 {
				t.Errorf("still open: %+v", z)
			}
		}
	}
}

func TestStreamsAreNoUnits(t *testing.T) {
	needLanes(t)
	c := begin()
	var open sync.WaitGroup
	end := make(chan struct{})
	mux := http.NewServeMux()
	events := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: 1\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		open.Done()
		<-end
	}
	mux.HandleFunc("GET /events", events)
	mux.HandleFunc("POST /chat", events)
	mux.HandleFunc("GET /socket", func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		rw.Flush()
		open.Done()
		io.Copy(io.Discard, rw)
	})
	s := serve(t, NewHandler(mux, Options{Streams: []string{"POST /chat"}}))
	var clients sync.WaitGroup
	client := func(f func()) {
		open.Add(1)
		clients.Add(1)
		go func() { defer clients.Done(); f() }()
	}
	client(func() { get(t, s.URL+"/events", "Accept", "text/event-stream") })
	client(func() {
		response, err := http.Post(s.URL+"/chat", "application/json", nil)
		if err != nil {
			t.Error(err)
			return
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	})
	client(func() {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n")
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "101") {
			t.Errorf("%q, %v", line, err)
		}
		<-end
	})
	open.Wait()
	want := map[string]uint64{"GET /events (stream)": 1, "POST /chat (stream)": 1, "GET /socket (stream)": 1}
	expect(t, "streams, while they are open", c.waits(), want)
	close(end)
	clients.Wait()
	s.Close()
	expect(t, "streams", c.waits(), want)
	expect(t, "units", c.units(), map[string]uint64{})

	isNone := func(method, key, value string) {
		r := httptest.NewRequest(method, "/", nil)
		r.Header.Set(key, value)
		if isStream(r) {
			t.Errorf("%s with %s: %s is taken for a stream", method, key, value)
		}
	}
	isNone("GET", "Accept", "text/html, text/event-stream")
	isNone("POST", "Accept", "application/json, text/event-stream")
	isNone("GET", "Upgrade", "h2c") // what curl and others send with ordinary requests
	if !isStream(httptest.NewRequest("CONNECT", "example.com:443", nil)) {
		t.Error("a tunnel is not taken for a stream")
	}
}

func TestTheContextHasTheTask(t *testing.T) {
	needLanes(t)
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	zWork := strobe.NewZone("work elsewhere")
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	s := serve(t, NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan bool)
		go func() {
			strobe.TaskFromContext(r.Context()).Enter(zWork).Exit()
			done <- true
		}()
		<-done
	}), Options{}))
	get(t, s.URL, "traceparent", trace)
	s.Close()
	var noted, linked bool
	for _, e := range strobe.TakeTimeline().Events {
		noted = noted || e.Kind == profile.NoteEvent && e.Name == "trace" && e.Text == trace
		linked = linked || e.Kind == profile.LinkEvent
	}
	if !noted || !linked {
		t.Errorf("noted %v, linked %v", noted, linked)
	}
}

// The server deletes the files of the request that it made, which a handler with a copy of the request would leave behind.
func TestUploadedFilesAreDeleted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // on Windows
	files := func() int {
		all, err := os.ReadDir(os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	during := 0
	s := serve(t, NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(10); err != nil {
			t.Error(err)
		}
		during = files()
	}), Options{}))
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "file")
	if err != nil {
		t.Fatal(err)
	}
	part.Write(make([]byte, 11<<20))
	w.Close()
	response, err := http.Post(s.URL, w.FormDataContentType(), &form)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	s.Close()
	if during != 1 || files() != 0 {
		t.Errorf("%d files during the request, %d afterwards", during, files())
	}
}

func TestMeasuringThatIsOffChangesNothing(t *testing.T) {
	strobe.SetEnabled(false)
	defer strobe.SetEnabled(true)
	var inner *http.Request
	r := httptest.NewRequest("GET", "/", nil)
	NewHandler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { inner = r }), Options{}).ServeHTTP(httptest.NewRecorder(), r)
	if inner != r {
		t.Error("the request was copied")
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/guard"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// serve returns a server that listens on the loopback interface until the end of the test.
func serve(t testing.TB, o Options) *Server {
	t.Helper()
	s := New(o)
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// request requests a path with headers in pairs, and returns the response and its body.
func request(t testing.TB, s *Server, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Add(headers[i], headers[i+1])
		}
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

func TestThePageIsServedWithAStrictPolicy(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"", "nothing.js", "snapshot.json", "command"} {
		a, text := request(t, s, "GET", path, "")
		if a.StatusCode >= 500 || text == "" {
			t.Errorf("%s: %s", path, a.Status)
		}
		if p := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: policy %q", path, p)
		}
		if h := a.Header; h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Access-Control-Allow-Origin") != "" ||
			path == "snapshot.json" && h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestOnlyThisMachineMayAsk(t *testing.T) {
	s := serve(t, Options{Hosts: []string{"box.example"}})
	own := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")
	_, port, _ := net.SplitHostPort(own)
	const json = "application/json"
	for _, c := range []struct {
		why, method, path string
		status            int
		headers           []string
	}{
		{"as it is", "GET", "snapshot.json", 200, nil},
		{"by name", "GET", "snapshot.json", 200, []string{"Host", "localhost:" + port}},
		{"by name with a dot", "GET", "", 200, []string{"Host", "LocalHost."}},
		{"IPv6", "GET", "", 200, []string{"Host", "[::1]:" + port}},
		{"IPv6 without a port", "GET", "", 200, []string{"Host", "[::1]"}},
		{"an allowed name", "GET", "", 200, []string{"Host", "BOX.example:80"}},
		{"a name that anybody may point here", "GET", "", 421, []string{"Host", "evil.example:" + port}},
		{"a name with an address in it", "GET", "events", 421, []string{"Host", "127.0.0.1.evil.example"}},
		{"a name below an allowed one", "GET", "", 421, []string{"Host", "x.box.example"}},
		{"a foreign page reads", "GET", "snapshot.json", 403, []string{"Origin", "http://evil.example"}},
		{"a foreign page on this machine reads", "GET", "events", 403, []string{"Origin", "http://127.0.0.1:1"}},
		{"a page of no origin", "GET", "events", 403, []string{"Origin", "null"}},
		{"an image of a foreign page", "GET", "trace", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}},
		{"a page of the same site", "GET", "profile", 403, []string{"Sec-Fetch-Site", "same-site"}},
		{"a link of a foreign page", "GET", "", 200, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{"a link to data", "GET", "trace", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{"a frame in a foreign page", "GET", "", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}},
		{"the page itself", "GET", "snapshot.json", 200, []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://" + own}},
		{"typed", "GET", "snapshot.json", 200, []string{"Sec-Fetch-Site", "none"}},
		{"the page commands", "POST", "command", 204, []string{"Content-Type", json, "Sec-Fetch-Site", "same-origin", "Origin", "http://" + own}},
		{"a program commands", "POST", "command", 204, []string{"Content-Type", "Application/JSON; charset=utf-8"}},
		{"a page of an allowed host commands, through a proxy", "POST", "command", 204, []string{"Content-Type", json, "Host", "box.example", "Origin", "https://box.example"}},
		{"the same, and the proxy changes the host", "POST", "command", 204, []string{"Content-Type", json, "Origin", "https://box.example:8443"}},
		{"a page below an allowed host commands", "POST", "command", 403, []string{"Content-Type", json, "Origin", "https://x.box.example"}},
		{"the own origin and a foreign one", "POST", "command", 400, []string{"Content-Type", json, "Origin", "http://" + own, "Origin", "http://evil.example"}},
		{"the own site and a foreign one", "GET", "snapshot.json", 400, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Site", "cross-site"}},
		{"two kinds", "POST", "command", 400, []string{"Content-Type", json, "Content-Type", "text/plain"}},
		{"a link of a foreign page that commands", "POST", "", 403, []string{"Content-Type", json, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{"a foreign page commands", "POST", "command", 403, []string{"Content-Type", json, "Origin", "http://evil.example"}},
		{"a foreign form", "POST", "command", 415, []string{"Content-Type", "text/plain"}},
		{"a form of another kind", "POST", "command", 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"no kind", "POST", "command", 415, nil},
		{"another method", "PUT", "command", 405, []string{"Content-Type", json}},
		{"a command by GET", "GET", "command", 404, nil},
	} {
		body := ""
		if c.method == "POST" {
			body = `{"reset":true}`
		}
		a, text := request(t, s, c.method, c.path, body, c.headers...)
		if a.StatusCode != c.status {
			t.Errorf("%s: %s, want %d: %.100s", c.why, a.Status, c.status, text)
		}
		if a.StatusCode >= 400 && (strings.Count(text, "\n") != 1 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain")) {
			t.Errorf("%s: not one line of text: %q", c.why, text)
		}
	}
}

// An empty host and an empty origin must not match each other, nor an empty name that is allowed.
func TestARequestWithoutAHostIsRefused(t *testing.T) {
	for _, hosts := range [][]string{nil, {""}} {
		for _, headers := range []http.Header{{}, {"Origin": {"null"}}, {"Origin": {"http://"}}} {
			r := httptest.NewRequest("POST", "/command", nil)
			r.Host, r.Header = "", headers
			r.Header.Set("Content-Type", "application/json")
			if status, why := guard.Refusal(r, hosts); status != http.StatusMisdirectedRequest {
				t.Errorf("with %v, if %q are allowed: %d %q", headers, hosts, status, why)
			}
		}
	}
}

func TestAHandlerAnswersForTheHostsItIsGiven(t *testing.T) {
	for name, want := range map[string]int{"shop.example": 200, "other.example": 421} {
		h := Handler("shop.example")
		defer h.(*Server).Close()
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Host = name
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

func TestBadRequestsGetOneLineThatSaysWhatIsWrong(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "command", `{"zone":1`, 400, "not a command"},
		{"POST", "command", ``, 400, "not a command"},
		{"POST", "command", `[]`, 400, "not a command"},
		{"POST", "command", `{"zones":1}`, 400, "unknown field"},
		{"POST", "command", `{"reset":true}{"reset":true}`, 400, "text after it"},
		{"POST", "command", `{"reset":true,"enabled":true}`, 400, "give exactly one"},
		{"POST", "command", `{"zone":1}`, 400, "zone and every together"},
		{"POST", "command", `{"zone":100000,"every":1}`, 400, "no zone 100000"},
		{"POST", "command", `{"zone":-1,"every":1}`, 400, "no zone -1"},
		{"POST", "command", `{"zone":0,"every":-2}`, 400, "every must be"},
		{"POST", "command", `{"record_bytes":-1}`, 400, "record_bytes must be"},
		{"POST", "command", `{"reset":true` + strings.Repeat(" ", longestCommand) + `}`, 413, "4096 bytes"},
		{"GET", "trace?format=exe", "", 400, "chrome, perfetto or json"},
		{"GET", "trace?seconds=61", "", 400, "to 60"},
		{"GET", "trace?seconds=-1", "", 400, "to 60"},
		{"GET", "trace?last=61", "", 400, "last must be a number"},
		{"GET", "trace?from=now", "", 400, "instants in nanoseconds"},
		{"GET", "trace?to=1.5", "", 400, "instants in nanoseconds"},
		{"GET", "profile?seconds=NaN", "", 400, "to 60"},
		{"GET", "profile?seconds=x", "", 400, "to 60"},
		{"GET", "snapshot.json?lanes=all", "", 400, "lanes must be"},
		{"GET", "events?rate=61", "", 400, "rate must be"},
		{"GET", "events?rate=0", "", 400, "rate must be"},
		{"GET", "none", "", 404, "no such file"},
		{"GET", "page/index.html", "", 404, "no such file"},
	} {
		a, text := request(t, s, c.method, c.path, c.body, "Content-Type", "application/json")
		if a.StatusCode != c.status || !strings.Contains(text, c.says) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s %s %.40s: %s: %q, want %d with %q", c.method, c.path, c.body, a.Status, text, c.status, c.says)
		}
	}
}

func TestAResponseHasNoControlCharacters(t *testing.T) {
	s := serve(t, Options{})
	a, text := request(t, s, "POST", "command", `{"\u001b[2J\u202e`+strings.Repeat("x", 3000)+`":1}`, "Content-Type", "application/json")
	if a.StatusCode != 400 || !strings.Contains(text, "xxx") || len(text) > 2*longestError {
		t.Errorf("%s: %q", a.Status, text)
	}
	lane := strobe.NewLane("lane \u202e\u009b")
	lane.Enter(strobe.NewZone("zone \u202e\u2066")).Exit()
	lane.Close()
	strobe.Message("\u202e\u009b")
	for _, path := range []string{"snapshot.json", "snapshot.json?lanes=sum", "trace?format=json", "trace"} {
		a, file := request(t, s, "GET", path, "")
		if strobe.Enabled && (a.StatusCode != 200 || !strings.Contains(file, `\u202e`) || !json.Valid([]byte(file))) {
			t.Errorf("%s: %s: %.300q", path, a.Status, file)
		}
		text += file
	}
	m := newModel(1 << 20)
	r := at(0).frame("l\u202e", 1, 2, 3)
	r.t.Events = append(r.t.Events, profile.Event{Kind: profile.MessageEvent, Lane: r.lane(0), Name: "\u009b2J\u2066\x7f"})
	r.t.Zones = []profile.ZoneInfo{{Name: "zone \u202e"}}
	m.play(r, at(10), at(20))
	v := &viewer{c: &collector{model: m}, news: make(chan struct{}, 1)}
	b, _ := v.messages(nil)
	if !strings.Contains(string(b), `l\u202e`) || !strings.Contains(string(b), `\u009b2J\u2066\u007f`) {
		t.Errorf("%q", b)
	}
	for _, r := range text + string(b) {
		if r != '\n' && !plain.Is(r) {
			t.Errorf("%q in an answer", r)
		}
	}
}

func TestSnapshotHasTheDocumentedKeys(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"snapshot.json", "snapshot.json?lanes=sum"} {
		a, text := request(t, s, "GET", path, "")
		var m map[string]json.RawMessage
		var snap profile.Snapshot
		if err := json.Unmarshal([]byte(text), &m); err != nil || a.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%s: %v: %.200s", path, err, text)
		}
		if string(m["version"]) != "1" || m["program"] == nil || m["pid"] == nil || string(m["run"]) != `"`+s.run+`"` || m["time"] == nil || len(m) != 6 {
			t.Errorf("%s: %.300s", path, text)
		}
		d := json.NewDecoder(bytes.NewReader(m["snapshot"]))
		if d.DisallowUnknownFields(); d.Decode(&snap) != nil {
			t.Errorf("%s: no snapshot: %s", path, m["snapshot"])
		}
		if strings.Contains(path, "sum") && (len(snap.Lanes) != 1 || snap.Lanes[0].ID != allLanes) {
			t.Errorf("%s has %d lanes", path, len(snap.Lanes))
		}
	}
}

func TestAProfileIsAFileForPprof(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"profile", "profile?seconds=0.05"} {
		a, text := request(t, s, "GET", path, "")
		if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment; filename=") {
			t.Fatalf("%s: %s: %v", path, a.Status, a.Header)
		}
		z, err := gzip.NewReader(strings.NewReader(text))
		if err == nil {
			_, err = io.ReadAll(z)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestDownloadsAtOnceAreLimited(t *testing.T) {
	s := serve(t, Options{})
	for range mostDownloads {
		s.places <- struct{}{}
	}
	for _, path := range []string{"snapshot.json", "profile"} {
		if a, text := request(t, s, "GET", path, ""); a.StatusCode != 503 || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s: %s", path, a.Status, text)
		}
	}
	<-s.places
	if a, _ := request(t, s, "GET", "snapshot.json", ""); a.StatusCode != 200 || len(s.places) != mostDownloads-1 {
		t.Errorf("with a place: %s, %d are taken", a.Status, len(s.places))
	}
}

func TestMountedBelowAPath(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	mux := http.NewServeMux()
	mux.Handle("/debug/strobe/", http.StripPrefix("/debug/strobe", s))
	outer := httptest.NewServer(mux)
	defer outer.Close()
	for path, want := range map[string]int{"/debug/strobe": 200, "/debug/strobe/": 200, "/debug/strobe/page.css": 404, "/debug/strobe/snapshot.json": 200, "/": 404} {
		a, err := http.Get(outer.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	s.Close()
	if a, err := http.Get(outer.URL + "/debug/strobe/"); err != nil || a.StatusCode != 503 {
		t.Errorf("after Close: %v, %v", a, err)
	}
}

func TestAServerThatCannotStreamSaysSo(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(struct{ http.ResponseWriter }{w}, r)
	}))
	defer outer.Close()
	a, err := http.Get(outer.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if text, _ := io.ReadAll(a.Body); a.StatusCode != 501 || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%s: %q", a.Status, text)
	}
}

func TestListeningIsOnTheLoopbackInterfaceUnlessToldOtherwise(t *testing.T) {
	s := serve(t, Options{})
	if err := s.Listen("127.0.0.1:0"); err == nil {
		t.Error("a server listens twice")
	}
	o := New(Options{})
	defer o.Close()
	if o.URL() != "" {
		t.Errorf("%q before it listens", o.URL())
	}
	if err := o.Listen(":0"); err != nil || !strings.HasPrefix(o.URL(), "http://127.0.0.1:") {
		t.Errorf("without a host: %q, %v", o.URL(), err)
	}
	used := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")
	if s, err := Serve(used); err == nil || s != nil {
		t.Errorf("on a port that is in use: %v, %v", s, err)
	}
	if s, err := Serve("no port"); err == nil {
		t.Errorf("a wrong address: %v", s)
	}
	o.Close()
	if err := o.Listen(":0"); err == nil {
		t.Error("a closed server listens")
	}
	if err := o.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

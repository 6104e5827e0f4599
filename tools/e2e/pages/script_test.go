// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/live"
)

const ms = 1_000_000 // ns

// A script is a simulated program for the live page: the files are those of package live, and the test determines what happens.
type script struct {
	*httptest.Server
	hello map[string]any
	lanes []map[string]any // of the snapshot

	mu       sync.Mutex
	said     []string // messages, for later connections
	changed  chan struct{}
	commands []string                    // received commands
	resumed  []string                    // Last-Event-ID of each connection
	loop     string                      // that the latest connection asked for
	number   int                         // of the next frame
	at       int                         // ns; start of the next frame
	past     map[int][]int               // frames by number
	starts   map[int]int                 // of calls of a root zone
	more     func(answer map[string]any) // changes the spans of a frame, if it is not nil
}

// The zones and paths of a script.
var (
	scriptZones = []map[string]any{{"name": "input", "every": 1}, {"name": "update", "where": "world.go:44", "every": 1}, {"name": "ai", "every": 1},
		{"name": "path", "every": 1}, {"name": "render", "every": 8}, {"name": "wait", "wait": true, "every": 1}, {"name": "mix", "every": 1}}
	scriptPaths = [][]int{{0, 0, -1, 0}, {1, 0, -1, 1}, {2, 0, 1, 2}, {3, 0, 2, 3}, {4, 0, -1, 4}, {5, 0, -1, 5}, {6, 1, -1, 6}}
	scriptLanes = [][]any{{0, "main"}, {1, "audio"}}
)

// perform starts a script that listens at addr; "" means any port. Its paths are scriptPaths unless others are given. The first
// run is that of process 42.
func perform(t *testing.T, addr, run string, paths ...[]int) *script {
	t.Helper()
	if len(paths) == 0 {
		paths = scriptPaths
	}
	s := &script{changed: make(chan struct{}), past: make(map[int][]int), number: 1, at: 1_000_000_000}
	pid := 42
	if run != "one" {
		pid++
	}
	s.hello = map[string]any{"version": 1, "program": "flight", "pid": pid, "run": run, "now_ns": 0, "loops": []string{"frame"}, "loop": "frame", "lane": 0, "slice_ns": 0,
		"budget_ns": 16_666_667, "enabled": true, "record_bytes": 1 << 24, "zones": scriptZones}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("GET /snapshot.json", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"version": 1, "snapshot": map[string]any{"lanes": s.lanes}})
	})
	mux.HandleFunc("GET /spans", s.spans)
	mux.HandleFunc("GET /unit", s.unit)
	mux.HandleFunc("POST /command", func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.commands = append(s.commands, string(text))
		s.mu.Unlock()
		if strings.Contains(string(text), "enabled") {
			http.Error(w, "it is always on", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /modules", func(w http.ResponseWriter, r *http.Request) { // a page that may import modules
		script, err := os.ReadFile("../../../internal/page/page.js")
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>modules</title><link rel=icon href=data:,><body><script>%s</script>", script)
	})
	for _, dir := range []string{"/page/", "/testdata/"} { // for modules.js, which imports ../page
		mux.Handle(dir, http.FileServer(http.Dir("../../../live")))
	}
	mux.Handle("/internal/units/testdata/", http.FileServer(http.Dir("../../.."))) // the modules read these too
	s.Server = httptest.NewUnstartedServer(mux)
	if addr != "" {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		s.Listener.Close()
		s.Listener = l
	}
	s.frames(0, map[string]any{"lanes": scriptLanes, "paths": paths, "backlog": true})
	s.Start()
	t.Cleanup(s.end)
	return s
}

// end ends the program; every stream breaks.
func (s *script) end() {
	s.Listener.Close() // otherwise the page would connect again before all are closed
	s.CloseClientConnections()
	s.Close()
}

var livePage = sync.OnceValue(func() http.Handler { return live.Handler() })

// page responds with the page of package live, without data of this process.
func (s *script) page(w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	q := r.Clone(r.Context())
	q.Header.Del("Accept-Encoding")
	livePage().ServeHTTP(answer, q)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	io.WriteString(w, regexp.MustCompile(`(id="first">).*(</script>)`).ReplaceAllString(answer.Body.String(), "${1}null$2"))
}

func (s *script) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	hello, _ := json.Marshal(s.hello)
	fmt.Fprintf(w, "retry: 200\nevent: hello\nid: %s:0\ndata: %s\n\n", s.hello["run"], hello)
	s.mu.Lock()
	s.resumed = append(s.resumed, r.Header.Get("Last-Event-ID"))
	s.loop = r.FormValue("loop")
	s.mu.Unlock()
	for n := 0; ; {
		s.mu.Lock()
		todo, changed := s.said[n:], s.changed
		s.mu.Unlock()
		for _, m := range todo {
			io.WriteString(w, m)
		}
		n += len(todo)
		http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		}
	}
}

// say sends a message.
func (s *script) say(event string, message map[string]any) {
	text, _ := json.Marshal(message)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, fmt.Sprintf("event: %s\nid: %s:%d\ndata: %s\n\n", event, s.hello["run"], s.number-1, text))
	close(s.changed)
	s.changed = make(chan struct{})
}

// frames sends n usual frames, with further fields of the message.
func (s *script) frames(n int, message map[string]any) {
	var list [][]int
	for range n {
		list = append(list, s.frame(300_000))
	}
	s.pass(list, message)
}

// slow sends a frame with a given time of path-finding.
func (s *script) slow(path int) { s.pass([][]int{s.frame(path)}, map[string]any{}) }

func (s *script) pass(list [][]int, message map[string]any) {
	message["at_ns"], message["frames"], message["lost"] = s.at, list, 0
	s.say("frames", message)
}

// frame returns the next frame. Variations are derived from its number.
func (s *script) frame(path int) []int {
	n := s.number
	wobble := n * 7919 % 101 * 1000 // up to 0.1 ms
	ai, render := path+800_000, 5*ms+wobble
	update := ai + 3*ms
	busy := update + render + ms/2
	took := max(16_666_667, busy+100_000)
	f := []int{n, s.at, took, 0, 1, ms / 2, 1, 1, update, 2, 1, ai, 3, 12, path, 4, 1, render, 5, 1, took - busy - 50_000}
	if n%2 == 0 {
		f = append(f, 6, 1, 400_000+wobble)
	}
	s.mu.Lock()
	s.past[n] = f
	s.mu.Unlock()
	s.number++
	s.at += took
	return f
}

// spans responds with the spans of a frame, whose sums are those of frame. The sound on the other lane began 0.3 ms before the
// frame.
func (s *script) spans(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("frame"))
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := map[string]any{"version": 1, "run": s.hello["run"], "loop": s.hello["loop"], "frame": n, "reason": "this frame is not kept"}
	if f := s.past[n]; f != nil {
		took := map[int]int{}
		for i := 3; i < len(f); i += 3 {
			took[f[i]] = f[i+2]
		}
		delete(answer, "reason")
		main, at := []int{}, 0
		add := func(path, start, took int) { main = append(main, path, start, took) }
		for _, path := range []int{0, 1, 4, 5} {
			add(path, at, took[path])
			if path == 1 {
				add(2, at+ms, took[2])
				for k := range 12 { // the last one takes long
					short := min(took[3]/12, 25_000)
					add(3, at+ms+400_000+k*(short+5000), []int{short, took[3] - 11*short}[k/11])
				}
			}
			at += took[path]
		}
		answer["start_ns"], answer["duration_ns"] = f[1], f[2]
		lanes := []map[string]any{{"id": 0, "name": "main", "own": true, "spans": main}}
		if took[6] > 0 {
			lanes = append(lanes, map[string]any{"id": 1, "name": "audio", "spans": []any{6, -300_000, took[6] + 300_000, 6, f[2] - 2*ms, nil}})
		}
		answer["lanes"] = lanes
		if s.more != nil {
			s.more(answer)
		}
	}
	json.NewEncoder(w).Encode(answer)
}

// unit responds with the spans of a call that took 63 ms: it parsed for 1 ms and then queried, on a disk for 58 ms.
func (s *script) unit(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("unit"))
	json.NewEncoder(w).Encode(map[string]any{"version": 1, "run": s.hello["run"], "root": 0, "unit": n, "start_ns": s.starts[n], "duration_ns": 63 * ms, "missing": []string{"up to 2 spans"},
		"lanes": []map[string]any{{"id": 7, "name": "g7", "own": true, "spans": []int{0, 0, 63 * ms, 1, 0, ms, 2, ms, 60 * ms, 3, 2 * ms, 58 * ms}},
			{"id": 8, "name": "g8", "spans": []int{4, 3 * ms, ms}}}})
}

// lastCommand returns the latest command.
func (s *script) lastCommand() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.commands) == 0 {
		return ""
	}
	return s.commands[len(s.commands)-1]
}

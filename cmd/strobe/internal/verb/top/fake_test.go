// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A fake serves the events of a simulated program, for behaviour that is hard to get from a real one. Frames take 10 ms, with 4
// ms in the zone tick and 3 ms of these in the zone move; every hundredth frame takes 50 ms.
type fake struct {
	run   string
	loops string // JSON
	speed int    // frames per step of 20 ms
	zone  string // name of the first zone; "tick" if empty

	more int // zones besides the four

	served bool // it has no loops, and serves 100 requests between two readings of its snapshot

	away     atomic.Bool // it does not answer connections
	readings atomic.Int64
}

func (f *fake) serve(t *testing.T) *httptest.Server {
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// each joins a text for each further zone.
func (f *fake) each(text func(i int) string) (all string) {
	for i := range f.more {
		all += text(i)
	}
	return all
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.served && r.URL.Path == "/snapshot.json" {
		n := f.readings.Add(1)
		fmt.Fprintf(w, `{"version":1,"slowest":[{"zone":0,"start_ns":1,"duration_ns":69000000,"cause":"lock","text":"it waited"}],
"snapshot":{"looks":{"covered_ns":%[1]d,"units":[{"zone":0,"running_ns":%[1]d,"ready_ns":0,"waiting_ns":%[1]d}]},"at_ns":%[1]d,"ns_per_tick":1,"zones":[{"root":true},{},{},{}],"lanes":[{"id":-1,"zones":[{"zone":0,"calls":%[2]d,"timed":%[2]d,
"open":2,"total_ns":1,"sum_ns":1,"min_ns":1000000,"max_ns":1040000,"histogram":{"first":271,"counts":[%[2]d],"ns_per_tick":1}}]}]}}`, n*1e9, 100*n)
		return
	}
	if r.URL.Path != "/events" {
		http.NotFound(w, r)
		return
	}
	for f.away.Load() && r.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	loop := "ticker"
	if l := r.URL.Query().Get("loop"); l != "" && strings.Contains(f.loops, strconv.Quote(l)) {
		loop = l
	}
	root := "null"
	if f.served {
		loop, root = "", "0"
	}
	number := 0
	send := func(kind, data string) {
		fmt.Fprintf(w, "event: %s\nid: %s:%d\ndata: %s\n\n", kind, f.run, number, strings.ReplaceAll(data, "\n", ""))
		w.(http.Flusher).Flush()
	}
	send("hello", fmt.Sprintf(`{"version":1,"program":"fake","pid":4711,"run":%q,"now_ns":0,"loops":%s,"loop":%q,"root":%s,"slice_ns":0,"budget_ns":16666667,
"enabled":true,"record_bytes":1,"zones":[{"name":%q,"root":%v},{"name":"move"},{"name":"join","wait":true},{"name":"never"}%s]}`, f.run, f.loops, loop, root, cmp.Or(f.zone, "tick"), f.served, f.each(func(int) string { return `,{"name":"more"}` })))
	var calls, total, move, join int64
	at := int64(0)
	for {
		var frames []string
		for range f.speed {
			took := int64(10_000_000)
			if number++; number%100 == 0 {
				took = 50_000_000
			}
			frames = append(frames, fmt.Sprintf("[%d,%d,%d,0,1,%d,1,2,%d]", number, at, took, took*4/10, took*3/10))
			at += took
			calls, total, move, join = calls+1, total+took*4/10, move+took*3/10, join+took*6/10
		}
		list, paths, open, reports := "frames", "", "", ""
		if f.served {
			list, paths = "units", "[0,-2,-1,0],[1,-2,0,1]"
			open = fmt.Sprintf(`[0,%d,2500000000,0,36,0,0,["route","/slow"],0,0,2500000000]`, at-2_500_000_000)
			reports = fmt.Sprintf(`{"number":%d,"text":"request took 69 ms, 60 ms more than usual: it waited for a lock.","start_ns":%d,"duration_ns":69000000,"slow":340,"explained":12}`, at, at-69_000_000)
			frames = []string{fmt.Sprintf(`[1,%d,69000000,0,35,1,0,["route","/cart"],0,1,69000000,1,1,66000000],[2,%[1]d,5000000,0,35,0,1,[],0,1,5000000,1,1,3000000]`, at)}
		}
		send("frames", fmt.Sprintf(`{"at_ns":%d,"lanes":[[0,"ticker"]],"paths":[%s],"%s":[%s],"runtime":[1,20000,150000,12582912,14],"plots":[["lateness ms",%d,0.0625]],
"messages":[],"lost":0,"reports":[%s]}`, at, paths, list, strings.Join(frames, ","), at, reports))
		send("state", fmt.Sprintf(`{"at_ns":%d,"rate_hz":96.15,"p99_ns":50000000,"low1_fps":20,"viewers":1,"notes":[],
"totals":[[0,%d,%d,%d,%[3]d],[1,%[5]d,%d,%d,%[6]d],[2,%[2]d,%[8]d,%d,%[8]d],[3,0,0,0,0]`, at, calls, total, total-move, 2*calls, move, move, join, join)+f.each(func(i int) string { return fmt.Sprintf(",[%d,%d,%d,0,%[2]d]", 4+i, calls, calls) })+`],"open":[`+open+`]}`)
		select {
		case <-r.Context().Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

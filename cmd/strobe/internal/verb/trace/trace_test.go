// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func verb() cli.Verb { return cli.Verb{Name: "trace", Command: new(Command)} }

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verb(), 45) }

// chrome returns a file like those of package trace.
func chrome(events int) string {
	var b strings.Builder
	b.WriteString(`{"displayTimeUnit":"ns","traceEvents":[` + "\n")
	for i := range events {
		fmt.Fprintf(&b, `{"ph":"X","name":"zone, [%d]","pid":1,"tid":1,"ts":%d.000,"dur":0.500},`+"\n", i, i)
	}
	b.WriteString(`{"ph":"i","s":"g","name":"timeline taken","pid":1,"tid":0,"ts":0}` + "\n]}\n")
	return b.String()
}

// perfetto returns a file with that many packets.
func perfetto(packets int) string {
	var b []byte
	for i := range packets {
		b = append(b, 0x0a)
		b = binary.AppendUvarint(b, uint64(3*i))
		b = append(b, bytes.Repeat([]byte{0x0a}, 3*i)...)
	}
	return string(b)
}

// serve serves a file at every path, or only a part, after which the connection breaks off.
func serve(t *testing.T, text string, part int) (url string, asked *[]string) {
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.String())
		w.Header().Set("Content-Disposition", `attachment; filename="x"`)
		io.WriteString(w, text[:part])
		if part < len(text) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func run(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, verb(), "", append([]string{"trace"}, args...)...)
}

func TestTheFormatIsThatOfTheEnding(t *testing.T) {
	for ending, c := range map[string]struct{ request, text, format string }{
		".json":          {"/trace?format=chrome&seconds=0.25", chrome(3), "chrome"},
		".JSON":          {"/trace?format=chrome&seconds=0.25", chrome(0), "chrome"},
		".pftrace":       {"/trace?format=perfetto&seconds=0.25", perfetto(300), "perfetto"},
		".pb.gz":         {"/profile?seconds=0.25", "\x1f\x8b...", "pprof"},
		".timeline.json": {"/trace?format=json&seconds=0.25", `{"events":[]}`, "timeline"},
	} {
		url, asked := serve(t, c.text, len(c.text))
		file := filepath.Join(t.TempDir(), "out"+ending)
		out, errout, code := run(t, url, "--for=250ms", "-o", file)
		if code != session.Done || errout != "" || !strings.HasPrefix(strings.Join(strings.Fields(out), " "), file+": ") || !strings.Contains(out, "250ms") {
			t.Errorf("%s: exit %d, %q, %q", ending, code, out, errout)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != c.text {
			t.Errorf("%s: %v, %q", ending, err, text)
		}
		if len(*asked) != 1 || (*asked)[0] != c.request {
			t.Errorf("%s: asked for %q", ending, *asked)
		}
		out, _, _ = run(t, url, "--for=0", "-o", file, "--json")
		var o traceObject
		if err := json.Unmarshal([]byte(out), &o); err != nil || o != (traceObject{1, url + "/", file, c.format, 0, int64(len(c.text)), false, false}) {
			t.Errorf("%s: %v, %+v", ending, err, o)
		}
	}
}

func TestWhatCannotBeFetchedGetsOneLine(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") }))
	defer page.Close()
	off := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "nothing is recorded\x1b[2J\nmore", 400) }))
	defer off.Close()
	moved := httptest.NewServer(http.RedirectHandler("http://example.com/", http.StatusFound))
	defer moved.Close()
	file := filepath.Join(t.TempDir(), "out.json")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{gone.URL, "-o", file}, "nothing listens at " + gone.URL + "; start a program"},
		{[]string{page.URL, "-o", file}, `is not a strobe program: it sends "text/html", not a file`},
		{[]string{off.URL, "-o", file}, "HTTP status 400 Bad Request: nothing is recorded?[2J\n"},
		{[]string{moved.URL, "-o", file}, "HTTP status 302 Found"},
		{[]string{off.URL, "-o", "out.txt"}, "give a name that ends in .json, .pftrace, .pb.gz"},
		{[]string{off.URL}, "--output"},
		{[]string{off.URL, "-o", file, "--for", "61s"}, "up to a minute"},
		{[]string{off.URL, "-o", filepath.Join(file, "x.json")}, "cannot write"},
		{[]string{"a b", "-o", file}, "HOST:PORT"},
	} {
		out, errout, code := run(t, c.args...)
		wants := session.Usage
		if c.want == "cannot write" {
			wants = session.Unwritten
		}
		if code != wants || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, c.want) || strings.Contains(errout, "\x1b") {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
	}
	if all, _ := os.ReadDir(filepath.Dir(file)); len(all) != 0 {
		t.Errorf("%v is left", all)
	}
}

// Wherever the connection breaks off, the file is valid, or there is none.
func TestAFileThatBreaksOffCanBeRead(t *testing.T) {
	whole := chrome(5)
	first := strings.Index(whole, "\n") + 1
	for part := 0; part < len(whole); part += 1 + len(whole)/100 {
		url, _ := serve(t, whole, part)
		file := filepath.Join(t.TempDir(), "out.json")
		out, errout, code := run(t, url, "-o", file)
		text, err := os.ReadFile(file)
		if code != session.CommandFailed || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, "broke off") {
			t.Fatalf("%d: exit %d, %q", part, code, errout)
		}
		if part < first {
			if err == nil || out != "" || !strings.Contains(errout, "was not written") {
				t.Errorf("%d: %q, %q, %q", part, text, out, errout)
			}
			continue
		}
		var o struct{ TraceEvents []struct{ Name string } }
		if err := json.Unmarshal(text, &o); err != nil || len(o.TraceEvents) != strings.Count(whole[:part], ",\n")+1 || !strings.Contains(out, "cut off") {
			t.Errorf("%d: %v, %d events, %q", part, err, len(o.TraceEvents), out)
		}
	}
	whole = perfetto(60)
	for part := 1; part < len(whole); part += 1 + len(whole)/50 {
		url, _ := serve(t, whole, part)
		file := filepath.Join(t.TempDir(), "out.pftrace")
		run(t, url, "-o", file)
		text, _ := os.ReadFile(file)
		if n, err := packets(text); err != nil || n != len(text) || !strings.HasPrefix(whole, string(text)) || part-len(text) > 3*60+3 {
			t.Errorf("%d: %v, %d of %d bytes are packets", part, err, n, len(text))
		}
	}
	for _, ending := range []string{".pb.gz", ".timeline.json"} {
		url, _ := serve(t, "0123456789", 5)
		file := filepath.Join(t.TempDir(), "out"+ending)
		if _, errout, code := run(t, url, "-o", file); code != session.CommandFailed || !strings.Contains(errout, "was not written") {
			t.Errorf("%s: exit %d, %q", ending, code, errout)
		}
		if all, _ := os.ReadDir(filepath.Dir(file)); len(all) != 0 {
			t.Errorf("%v is left", all)
		}
	}
}

func TestInvalidTracesAreRefused(t *testing.T) {
	url, _ := serve(t, "<html>", 6)
	file := filepath.Join(t.TempDir(), "out.pftrace")
	if _, errout, code := run(t, url, "-o", file); code != session.CommandFailed || !strings.Contains(errout, "it sends no Perfetto trace") {
		t.Errorf("exit %d, %q", code, errout)
	}
	for name, text := range map[string][]byte{"a packet too long": {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, "a length that has no end": append([]byte{0x0a}, bytes.Repeat([]byte{0xff}, 20)...)} {
		if _, err := packets(text); err == nil {
			t.Error(name)
		}
	}
	if _, err := lines(bytes.Repeat([]byte("x"), packetBytes+1)); err == nil {
		t.Error("a line without end")
	}
}

// An interrupt ends the recording, and what was recorded until then is fetched.
func TestAnInterruptKeepsWhatWasRecorded(t *testing.T) {
	for ending, want := range map[string]string{".json": chrome(2), ".pftrace": perfetto(3), ".pb.gz": ""} {
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("last") == "" {
				cancel()
				<-r.Context().Done()
				return
			}
			if last, err := strconv.ParseFloat(r.FormValue("last"), 64); err != nil || last <= 0 || last > time.Since(began).Seconds()+0.002 {
				t.Errorf("asked for the last %q s", r.FormValue("last"))
			}
			w.Header().Set("Content-Disposition", "attachment")
			io.WriteString(w, want)
		}))
		file := filepath.Join(t.TempDir(), "out"+ending)
		var o, e bytes.Buffer
		code := cli.Run(ctx, []cli.Verb{verb()}, []string{"trace", server.URL, "-o", file}, strings.NewReader(""), &o, &e)
		text, _ := os.ReadFile(file)
		if code != session.Interrupted || string(text) != want {
			t.Errorf("%s: exit %d, %q", ending, code, text)
		}
		if want == "" && !strings.Contains(e.String(), "interrupted before any data arrived") || want != "" && (e.Len() != 0 || !strings.Contains(strings.Join(strings.Fields(o.String()), " "), "s until the interrupt")) {
			t.Errorf("%s: %q, %q", ending, o.String(), e.String())
		}
		server.Close()
	}
}

// An interrupt during the transfer keeps what was received.
func TestAnInterruptKeepsWhatWasReceived(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	whole := chrome(1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		io.WriteString(w, whole[:len(whole)/2])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "out.json")
	d := &download{format: formatOf(file), file: file}
	var e bytes.Buffer
	s := &session.Session{Ctx: ctx, Err: &e}
	resp, err := d.ask(ctx, server.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for d.bytes.Load() < int64(len(whole)/2) {
			select {
			case <-t.Context().Done():
				return
			default:
			}
		}
		cancel()
	}()
	if err := d.write(s, resp); err != nil || !d.written || !d.cut {
		t.Errorf("%v, %+v", err, d)
	}
	text, _ := os.ReadFile(file)
	if !json.Valid(text) || !strings.Contains(string(text), "zone, [400]") {
		t.Errorf("%.100q ... %d bytes", text, len(text))
	}
}

func TestAFileWithoutEndIsRefused(t *testing.T) {
	var n atomic.Int64
	b := &body{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", 5000))), n: &n, most: 4000}
	if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, b, make([]byte, 100)); err == nil || b.err != err || n.Load() > 4100 {
		t.Errorf("%v after %d bytes", err, n.Load())
	}
}

func FuzzWhatIsHeldBackIsTheEnd(f *testing.F) {
	f.Add([]byte(chrome(3)), 7)
	f.Add([]byte(perfetto(3)), 2)
	f.Fuzz(func(t *testing.T, text []byte, step int) {
		for _, cut := range []func([]byte) (int, error){lines, packets} {
			var out bytes.Buffer
			w := &whole{w: &out, cut: cut}
			for rest := text; len(rest) > 0; {
				n := min(max(step, 1), len(rest))
				if _, err := w.Write(rest[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
			if got := out.String() + string(w.held); got != string(text) {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}

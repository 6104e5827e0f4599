// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

func serve(t *testing.T, o Options) *Server {
	t.Helper()
	s := New(o)
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestThePageAndItsFilesAreServedWithAStrictPolicy(t *testing.T) {
	s := serve(t, Options{})
	r, err := http.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	if r.StatusCode != 200 || !strings.Contains(string(body), "<!doctype html>") || r.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%v: %s", r.Status, body)
	}
	if p := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
		t.Errorf("policy %q", p)
	}
}

func TestTheFirstMessageIsHello(t *testing.T) {
	s := serve(t, Options{})
	r, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if line, err := bufio.NewReader(r.Body).ReadString('\n'); err != nil || line != "event: hello\n" {
		t.Errorf("%q, %v", line, err)
	}
}

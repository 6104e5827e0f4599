// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// missing skips a test whose server is missing, or fails it if CI_FULL is set.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI_FULL") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// built returns the latest server of that name that a script here has built.
func built(t *testing.T, name string) string {
	t.Helper()
	cache := os.Getenv("STROBE_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			missing(t, "no folder to look for %s: %v", name, err)
		}
		cache = filepath.Join(user, "strobe")
	}
	found, _ := filepath.Glob(filepath.Join(cache, name, name+"-v*"))
	found = slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(f, ".new") })
	if len(found) == 0 {
		missing(t, "no %s in %s; tools/e2e/fleet/%s.sh builds one", name, filepath.Join(cache, name), name)
	}
	return found[len(found)-1]
}

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// eventually waits until f returns "", and fails with its last result.
func eventually(t *testing.T, f func() string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		why := f()
		if why == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(why)
		}
	}
}

// A server answers queries in PromQL.
type server struct {
	t    *testing.T
	base string
}

// run starts a server and waits until it answers at ready.
func run(t *testing.T, base, ready, name string, args ...string) *server {
	t.Helper()
	c := exec.Command(name, args...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		c.Process.Kill()
		<-ended
		log.Close()
	})
	eventually(t, func() string {
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("%s ended: %v\n%s", name, err, text)
		default:
		}
		answer, err := http.Get(base + ready)
		if err != nil {
			return err.Error()
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return answer.Status
		}
		return ""
	})
	return &server{t, base}
}

// A sample is a value and its labels.
type sample struct {
	labels map[string]string
	value  float64
}

// get requests a path of the server's API and decodes the data of the response.
func (s *server) get(path string, data any) error {
	answer, err := http.Get(s.base + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	r := struct {
		Status, Error string
		Data          any
	}{Data: data}
	if err := json.Unmarshal(body, &r); err != nil {
		return fmt.Errorf("%w in %s", err, body)
	}
	if r.Status != "success" {
		return fmt.Errorf("%s: %s", path, r.Error)
	}
	return nil
}

// query returns the result of an instant query.
func (s *server) query(promql string) ([]sample, error) {
	var r struct {
		Result []struct {
			Metric map[string]string
			Value  [2]any
		}
	}
	if err := s.get("/api/v1/query?query="+url.QueryEscape(promql), &r); err != nil {
		return nil, err
	}
	var all []sample
	for _, x := range r.Result {
		text, _ := x.Value[1].(string)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && x.Value[1] != nil {
			return nil, err
		}
		all = append(all, sample{x.Metric, v})
	}
	return all, nil
}

// one returns the only value of a query; ok is false if there is none.
func (s *server) one(promql string) (v float64, ok bool) {
	s.t.Helper()
	all, err := s.query(promql)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(all) != 1 {
		return 0, false
	}
	return all[0].value, true
}

// whole returns the value of a query over a vector with all three programs. On a busy machine a scrape of one of them may be
// late, so that it is missing for a second.
func (s *server) whole(vector, query string) (v float64) {
	s.t.Helper()
	eventually(s.t, func() string {
		promql := fmt.Sprintf(query, vector) + " and on() (count(" + vector + ") == 3)"
		var ok bool
		if v, ok = s.one(promql); !ok {
			return promql + " has no value"
		}
		return ""
	})
	return v
}

// until waits until a query has the given value.
func (s *server) until(promql string, want float64) {
	s.t.Helper()
	eventually(s.t, func() string {
		if v, ok := s.one(promql); !ok || v != want {
			return fmt.Sprintf("%s is %v (there: %v), want %v", promql, v, ok, want)
		}
		return ""
	})
}

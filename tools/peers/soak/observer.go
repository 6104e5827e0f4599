// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe/profile"
)

// An observer looks at a program through its pages.
type observer struct {
	url    string
	client http.Client
	checks *checks

	scrapes, snapshots source
}

func newObserver(url string, c *checks) *observer {
	return &observer{url: url, checks: c, scrapes: source{name: "counts/scrapes"}, snapshots: source{name: "counts/snapshot.json"}}
}

func (o *observer) do(ctx context.Context, method, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, o.url+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := o.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, answer.Status, bytes.TrimSpace(body))
	}
	return body, err
}

// plain returns what the program counts itself.
func (o *observer) plain(ctx context.Context, method, path string) (s state, err error) {
	body, err := o.do(ctx, method, path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// between compares what a source says with what is counted before and after.
func (o *observer) between(ctx context.Context, s *source, said func(context.Context) (counts, error)) error {
	before, err := o.plain(ctx, "GET", "/plain")
	if err != nil {
		return err
	}
	now, err := said(ctx)
	if err != nil {
		return err
	}
	after, err := o.plain(ctx, "GET", "/plain")
	if err != nil {
		return err
	}
	s.compare(o.checks, now, before.Ended, after.Begun)
	return nil
}

// scrape returns the calls of zones as Prometheus would see them.
func (o *observer) scrape(ctx context.Context) (counts, error) {
	body, err := o.do(ctx, "GET", "/metrics")
	if err != nil {
		return nil, err
	}
	all := make(counts, zones)
	found := 0
	for line := range bytes.Lines(body) {
		rest, ok := bytes.CutPrefix(line, []byte(`strobe_zone_calls_total{zone="`))
		if !ok {
			continue
		}
		name, value, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(`"} `))
		z := kindOf(string(name))
		calls, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return nil, fmt.Errorf("/metrics: %s: %w", line, err)
		}
		if z >= 0 {
			all[z], found = uint64(calls), found+1
		}
	}
	if found == 0 {
		return nil, errors.New("/metrics has no calls of zones")
	}
	return all, nil
}

// snapshot returns the calls of zones in snapshot.json.
func (o *observer) snapshot(ctx context.Context) (counts, error) {
	body, err := o.do(ctx, "GET", "/strobe/snapshot.json?lanes=sum")
	if err != nil {
		return nil, err
	}
	var m struct{ Snapshot profile.Snapshot }
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("snapshot.json: %w", err)
	}
	return calls(m.Snapshot), nil
}

// same compares what a source says at the end with what was counted.
func (o *observer) same(name string, said counts, end state) {
	for z := range said {
		if misused[z] && end.Shared {
			continue
		}
		o.checks.that(said[z] == end.Ended[z], name, "%s at the end: %d calls of %q, not %d", name, said[z], kinds[z].name, end.Ended[z])
	}
	if slices.Max(end.Ended) == 0 {
		o.checks.that(false, name, "the program has done nothing")
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package strobehttp

import (
	"io"
	"net/http"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

// TransportOptions are those of NewTransport. The zero value is useful.
type TransportOptions struct {
	// Name returns the name of the zone of a request. nil: "http " and the host of the URL, with the port.
	Name func(*http.Request) string

	Zones int // how many names have zones of their own; less than 1: 200
}

// NewTransport returns a RoundTripper that measures the requests of a client. Each host has two wait zones: a call of the first, such as
// "http example.com", is a request until the header of its response arrives, and a call of "http example.com (body)" reads from the
// body. Both are part of the unit whose task the context of the request carries, also on other goroutines. A nil base is
// http.DefaultTransport. Safe for concurrent use if base is.
func NewTransport(base http.RoundTripper, o TransportOptions) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if !strobe.Enabled {
		return base
	}
	t := &transport{base: base, name: o.Name}
	prefix := ""
	if t.name == nil {
		t.name, prefix = func(r *http.Request) string { return r.URL.Host }, "http "
	}
	t.waits = dropin.NewZones(func(name string) *strobe.Zone { return strobe.NewWaitZone(prefix + name) }, o.Zones, "(other hosts)")
	t.bodies = dropin.NewZones(func(name string) *strobe.Zone { return strobe.NewWaitZone(prefix + name + " (body)") }, o.Zones, "(other hosts)")
	return t
}

type transport struct {
	base          http.RoundTripper
	name          func(*http.Request) string
	waits, bodies *dropin.Zones
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL == nil {
		return t.base.RoundTrip(r) // which says what is wrong
	}
	name, task := t.name(r), strobe.TaskFromContext(r.Context())
	response, err := t.wait(r, name, task)
	if err == nil && response.StatusCode != http.StatusSwitchingProtocols && response.Body != http.NoBody { // after a switch the body is a connection
		response.Body = body{response.Body, t.bodies.Zone(name), task}
	}
	return response, err
}

func (t *transport) wait(r *http.Request, name string, task strobe.Task) (*http.Response, error) {
	defer task.Enter(t.waits.Zone(name)).Exit()
	return t.base.RoundTrip(r)
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

type body struct {
	io.ReadCloser
	zone *strobe.Zone
	task strobe.Task
}

func (b body) Read(p []byte) (int, error) {
	defer b.task.Enter(b.zone).Exit()
	return b.ReadCloser.Read(p)
}

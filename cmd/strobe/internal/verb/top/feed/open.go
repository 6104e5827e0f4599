// SPDX-License-Identifier: BSD-3-Clause

// Package feed reads the messages of a program that serves package live. It does not trust the program: messages, names and waits
// are bounded.
package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// These limit how long a program may take to answer, and how long it may then be silent. It normally sends four messages a
// second.
const (
	answerTime = 5 * time.Second
	silentTime = 10 * time.Second
)

// A Source says where the program is and what to request.
type Source struct {
	URLs []string // mount points, tried in order; each ends in a slash
	Name string   // of the target, for messages
	Loop string   // loop of the frames; empty for the first loop, or the first root zone if there is no loop
	Rate int      // maximum number of messages per second

	patience time.Duration // how long to wait for an answer; 0 means answerTime
}

// A Stream is a connection to a program.
type Stream struct {
	URL    string // the mount point
	ID     string // of the latest message, to resume after
	body   io.Closer
	events *events
	first  *Message
	ctx    context.Context
	end    context.CancelFunc
	silent time.Duration
	client *http.Client

	roots bool      // the program has root zones
	heard bool      // something was received since units were asked for
	asked time.Time // when they were
}

// Open connects to the first of the source's URLs that is a mount point. after is the ID to resume after, or empty. The error is
// a *Fault, or that of ctx.
func Open(ctx context.Context, s Source, after string) (*Stream, error) {
	var worst *Fault
	for _, u := range s.URLs {
		stream, err := open(ctx, s, u, after)
		if err == nil {
			return stream, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// The error for a port with another program says more than that for a closed port; among others the first is kept.
		if worst == nil || absent(worst) && !absent(err) {
			worst = err
		}
	}
	if absent(worst) {
		return nil, &Fault{Err: fmt.Errorf("%w at %s", errAbsent, s.Name)}
	}
	return nil, worst
}

func open(ctx context.Context, s Source, mount, after string) (*Stream, *Fault) {
	query := url.Values{"rate": {strconv.Itoa(s.Rate)}}
	if s.Loop != "" {
		query.Set("loop", s.Loop)
	} else {
		query.Set("root", "any") // if there is no loop
	}
	patience := cmp.Or(s.patience, answerTime)
	ctx, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, mount+"events?"+query.Encode(), nil)
	if err != nil {
		cancel()
		return nil, &Fault{err, true}
	}
	req.Header.Set("Accept", "text/event-stream")
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression, transport.DisableKeepAlives, transport.MaxResponseHeaderBytes = true, true, 64<<10
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	inTime := session.After(patience, cancel)
	resp, err := client.Do(req)
	if !inTime() && err == nil {
		resp.Body.Close()
		err = context.Canceled
	}
	if err != nil {
		cancel()
		return nil, &Fault{Err: short(mount, patience, err)}
	}
	stream := &Stream{URL: mount, ID: after, body: resp.Body, events: newEvents(resp.Body), ctx: ctx, end: cancel, silent: patience, client: client}
	if fault := check(mount, resp); fault != nil {
		stream.Close()
		return nil, fault
	}
	m, err := stream.Next()
	if err != nil || m.Hello == nil {
		stream.Close()
		if err == nil {
			err = errors.New("its first message is not hello")
		}
		return nil, &Fault{fmt.Errorf("%s is not a strobe program: %w", mount, err), true}
	}
	stream.first, stream.silent = &m, silentTime
	return stream, nil
}

// Next returns the next message, or the figures of units if it is time for them. The error says why there is none: the program ended, was silent for too long, or sent an invalid
// message.
func (s *Stream) Next() (Message, error) {
	if m := s.first; m != nil {
		s.first = nil
		return *m, nil
	}
	if s.due() {
		return s.ask(), nil
	}
	inTime := session.After(s.silent, s.end)
	ev, err := s.events.next()
	if !inTime() {
		return Message{}, fmt.Errorf("no data arrived for %v", s.silent)
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		return Message{}, errors.New("the connection ended")
	case err != nil:
		return Message{}, err
	}
	if ev.id != "" {
		s.ID = ev.id
	}
	m, err := read(ev)
	s.heard = s.heard || m.State != nil
	if m.Hello != nil {
		s.roots = slices.ContainsFunc(m.Hello.Zones, func(z Zone) bool { return z.Root })
	}
	return m, err
}

// Close ends the connection.
func (s *Stream) Close() {
	s.end()
	s.body.Close()
}

// The waits between attempts to connect.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// A Link is the state of the connection.
type Link struct {
	URL   string        // the mount point, if there is a connection
	Err   error         // why there is none
	Retry time.Duration // until the next attempt
}

// Watch connects, calls say with the messages of the program, and reconnects when the connection ends, until ctx is done. Each
// call of say has either a link or a message. Watch returns early, with a *Fault, only if nothing was ever received and it is
// useless to try again.
func Watch(ctx context.Context, s Source, say func(Link, Message)) error {
	after, retry, met, all := "", firstRetry, false, s.URLs
	for ctx.Err() == nil {
		stream, err := Open(ctx, s, after)
		if err == nil {
			met, retry = true, firstRetry
			s.URLs = append([]string{stream.URL}, all...) // a restarted program is expected where it was
			say(Link{URL: stream.URL}, Message{})
			err = pass(stream, say)
			after = stream.ID
			stream.Close()
		}
		if ctx.Err() != nil {
			return nil
		}
		var fault *Fault
		if errors.As(err, &fault) && fault.Final && !met {
			return err
		}
		say(Link{Err: err, Retry: retry}, Message{})
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
		retry = min(2*retry, lastRetry)
	}
	return nil
}

var errBye = errors.New("the program has closed its server")

func pass(stream *Stream, say func(Link, Message)) error {
	for {
		m, err := stream.Next()
		switch {
		case err != nil:
			return err
		case m.Bye:
			return errBye
		case m != Message{}:
			say(Link{}, m)
		}
	}
}

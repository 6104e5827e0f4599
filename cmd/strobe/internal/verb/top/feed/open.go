// SPDX-License-Identifier: BSD-3-Clause

// Package feed reads what a program that serves package live says of itself. It trusts the program with nothing: messages, names
// and waits are bounded.
package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// How long a program may take to answer, and how long it may then be silent. It speaks four times a second.
const (
	answerTime = 5 * time.Second
	silentTime = 10 * time.Second
)

// A Source says where the program is and what to ask for.
type Source struct {
	URLs []string // mount points, tried in order; each ends in a slash
	Name string   // of the target, for messages
	Loop string   // whose frames; empty for the first loop
	Rate int      // messages a second at most

	patience time.Duration // with a program that does not answer; 0 means answerTime
}

// A Fault is why no stream could be had. Final means that to try again is of no use.
type Fault struct {
	Err   error
	Final bool
}

// Error returns the text of Err.
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

// A Stream is a connection to a program.
type Stream struct {
	URL    string // the mount point
	ID     string // of the latest message, to resume after
	body   io.Closer
	events *events
	first  *Message
	end    context.CancelFunc
	silent time.Duration
}

// Open connects to the first of the source's mount points that is one. After is the ID to resume after, or empty. The error is a
// *Fault, or that of ctx.
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
		// A port at which another program listens says more than one that is closed, but the first says most.
		if worst == nil || absent(worst) && !absent(err) {
			worst = err
		}
	}
	if absent(worst) {
		return nil, &Fault{Err: fmt.Errorf("%w at %s", errAbsent, s.Name)}
	}
	return nil, worst
}

var errAbsent = errors.New("nothing listens")

func absent(f *Fault) bool { return errors.Is(f, errAbsent) }

func open(ctx context.Context, s Source, mount, after string) (*Stream, *Fault) {
	query := url.Values{"rate": {strconv.Itoa(s.Rate)}}
	if s.Loop != "" {
		query.Set("loop", s.Loop)
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
	stream := &Stream{URL: mount, ID: after, body: resp.Body, events: newEvents(resp.Body), end: cancel, silent: patience}
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

// check reports why an answer is not that of a strobe program.
func check(mount string, resp *http.Response) *Fault {
	if resp.StatusCode != http.StatusOK {
		line, _ := io.ReadAll(io.LimitReader(resp.Body, maxText))
		text, _, _ := strings.Cut(strings.TrimSpace(string(line)), "\n")
		err := fmt.Errorf("%s answers with HTTP status %d %s", mount, resp.StatusCode, http.StatusText(resp.StatusCode))
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		if text != "" && kind == "text/plain" {
			err = fmt.Errorf("%w: %s", err, clean(text))
		}
		if resp.StatusCode == http.StatusNotFound {
			err = fmt.Errorf("%w; is this where the program serves strobe?", err)
		}
		return &Fault{err, resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests}
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		return &Fault{fmt.Errorf("%s is not a strobe program: it sends %q, not events", mount, clean(kind)), true}
	}
	return nil
}

// short says in short why there was no answer.
func short(mount string, patience time.Duration, err error) error {
	var call *os.SyscallError
	switch {
	case errors.Is(err, context.Canceled): // by the timer: the caller looks after its own context
		return fmt.Errorf("%s does not answer within %v", mount, patience)
	case errors.As(err, &call) && strings.HasPrefix(call.Syscall, "connect"):
		return fmt.Errorf("%w at %s", errAbsent, mount)
	}
	var where *url.Error
	if errors.As(err, &where) {
		err = where.Err
	}
	return fmt.Errorf("%s cannot be reached: %w", mount, err)
}

// Next returns the next message. The error says why there is none: the program ended, was silent for too long, or sent what is
// no message.
func (s *Stream) Next() (Message, error) {
	if m := s.first; m != nil {
		s.first = nil
		return *m, nil
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
	return read(ev)
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

// A Link is whether there is a connection.
type Link struct {
	URL   string        // the mount point, if there is a connection
	Err   error         // why there is none
	Retry time.Duration // until the next attempt
}

// Watch connects, passes on what the program says, and connects again when the connection ends, until ctx does. Say gets either a
// link or a message. Watch returns early, with a *Fault, only if to try again is of no use and nothing was ever received.
func Watch(ctx context.Context, s Source, say func(Link, Message)) error {
	after, retry, met, all := "", firstRetry, false, s.URLs
	for ctx.Err() == nil {
		stream, err := Open(ctx, s, after)
		if err == nil {
			met, retry = true, firstRetry
			s.URLs = append([]string{stream.URL}, all...) // a program that starts again is sought where it was
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

// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"context"
	"errors"
	"time"
)

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

// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// A Fault is the reason why there is no stream. Final means that it is useless to try again.
type Fault struct {
	Err   error
	Final bool
}

// Error returns the text of Err.
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

var errAbsent = errors.New("nothing listens")

func absent(f *Fault) bool { return errors.Is(f, errAbsent) }

// check returns an error if a response does not come from a program that uses strobe.
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

// short returns a short reason why there was no answer.
func short(mount string, patience time.Duration, err error) error {
	var call *os.SyscallError
	switch {
	case errors.Is(err, context.Canceled): // cancelled by the timer; the caller checks its own context
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

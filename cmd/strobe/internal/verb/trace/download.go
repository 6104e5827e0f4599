// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

const (
	mostBytes  = 1 << 30
	answerTime = 10 * time.Second // in addition to the recording
	stallTime  = 30 * time.Second
	keptTime   = 5 * time.Second // to fetch what was kept, after an interrupt
)

// A download is a file that is being received.
type download struct {
	format *format
	file   string
	span   time.Duration

	mount   string
	bytes   atomic.Int64 // received so far, in the end written
	written bool
	cut     bool // the end is missing
	began   time.Time
	last    time.Duration // length of the recording until an interrupt; 0 without an interrupt
}

// tell shows progress until stop is called.
func (d *download) tell(progress session.Progress) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				progress.Clear()
				return
			case <-tick.C:
			}
			switch n, t := d.bytes.Load(), time.Since(start); {
			case n > 0:
				progress.Show("received %s", layout.Bytes(n))
			case t < d.span:
				progress.Show("recording: %.1f of %v", t.Seconds(), d.span)
			default:
				progress.Show("waiting for the file")
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// fetch records and writes the file.
func (d *download) fetch(s *session.Session, target flags.Target) error {
	d.began = time.Now()
	resp, err := d.find(s.Ctx, target)
	if s.Interrupted() {
		if resp != nil {
			resp.Body.Close()
		}
		return d.fetchKept(s)
	}
	if err != nil {
		return err
	}
	return d.write(s, resp)
}

// fetchKept fetches what the program has kept, after an interrupt ended the recording.
func (d *download) fetchKept(s *session.Session) error {
	if d.format.profile || d.span == 0 || d.mount == "" {
		s.Warn("interrupted before any data arrived: %s was not written", d.file)
		return nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.Ctx))
	defer cancel()
	defer session.After(keptTime, cancel)()
	d.last = min(time.Since(d.began).Round(time.Millisecond)+time.Millisecond, longest)
	resp, err := d.ask(ctx, d.mount)
	if err == nil {
		err = d.write(s, resp)
	}
	if err != nil {
		s.Warn("interrupted, and fetching what the program had kept failed: %v; %s was not written", err, d.file)
	}
	return nil
}

// find tries the mount points in order.
func (d *download) find(ctx context.Context, target flags.Target) (*http.Response, error) {
	var first error
	for _, mount := range target.URLs() {
		resp, err := d.ask(ctx, mount)
		if err == nil || ctx.Err() != nil {
			return resp, err
		}
		if first == nil || errors.Is(first, errAbsent) && !errors.Is(err, errAbsent) {
			first = err
		}
	}
	if errors.Is(first, errAbsent) {
		return nil, fmt.Errorf("%w at %v; start a program that serves package live, such as strobe demo, or give its address", errAbsent, target)
	}
	return nil, first
}

var errAbsent = errors.New("nothing listens")

// ask requests the file from a program. The response comes when the recording is over.
func (d *download) ask(ctx context.Context, mount string) (*http.Response, error) {
	request := fmt.Sprintf("%s%sseconds=%g", mount, d.format.request, d.span.Seconds())
	if d.last > 0 {
		request = fmt.Sprintf("%s%slast=%g", mount, d.format.request, d.last.Seconds())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, request, nil)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression, transport.DisableKeepAlives, transport.MaxResponseHeaderBytes = true, true, 64<<10
	transport.ResponseHeaderTimeout = d.span + answerTime
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { d.mount = mount }}
	resp, err := client.Do(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	var call *os.SyscallError
	var where *url.Error
	switch {
	case errors.As(err, &call) && strings.HasPrefix(call.Syscall, "connect"):
		return nil, fmt.Errorf("%w at %s", errAbsent, mount)
	case errors.As(err, &where) && where.Timeout():
		return nil, fmt.Errorf("%s does not answer", mount)
	case errors.As(err, &where):
		return nil, fmt.Errorf("%s cannot be reached: %w", mount, where.Err)
	case err != nil:
		return nil, err
	}
	if err := refused(mount, resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// refused returns the reason why a response contains no file.
func refused(mount string, resp *http.Response) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK {
		err := fmt.Errorf("%s answers with HTTP status %d %s", mount, resp.StatusCode, http.StatusText(resp.StatusCode))
		if line, _ := io.ReadAll(io.LimitReader(resp.Body, 200)); kind == "text/plain" && len(line) > 0 {
			text, _, _ := strings.Cut(string(line), "\n")
			err = fmt.Errorf("%w: %s", err, plain.Text(text))
		}
		return err
	}
	if how, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Disposition")); how != "attachment" {
		return fmt.Errorf("%s is not a strobe program: it sends %q, not a file", mount, plain.Text(kind))
	}
	return nil
}

// A body counts the bytes read from a response, and ends it if it stalls or is too long.
type body struct {
	io.ReadCloser
	n    *atomic.Int64
	most int64
	err  error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	stalled := time.AfterFunc(stallTime, func() { b.Close() })
	n, err := b.ReadCloser.Read(p)
	if !stalled.Stop() {
		err = fmt.Errorf("no data arrived for %v", stallTime)
	}
	if b.n.Add(int64(n)) > b.most {
		err = errors.New("the program sent more than 1 GiB")
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// write writes the response to the file. If it breaks off, the file contains what was received, if that is usable.
func (d *download) write(s *session.Session, resp *http.Response) error {
	defer resp.Body.Close()
	from := &body{ReadCloser: resp.Body, n: &d.bytes, most: mostBytes}
	var broken error
	err := session.WriteFile(d.file, func(w io.Writer) error {
		to := &whole{w: w, cut: d.format.cut}
		_, err := io.Copy(to, from)
		if err == nil {
			err = to.finish()
		} else if broken = errors.Join(from.err, to.err); broken != nil { // otherwise the file cannot be written
			err = d.close(to, broken)
		}
		d.bytes.Store(to.passed)
		return err
	})
	d.written = err == nil
	if d.written && d.cut && !s.Interrupted() {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("the connection to %s broke off: %w; %s contains what had arrived", d.mount, broken, d.file)}
	}
	return err
}

// close ends a file whose transfer broke off, if what was received is usable.
func (d *download) close(to *whole, broken error) error {
	if d.format.cut == nil || to.passed == 0 {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("the connection to %s broke off: %w; %s was not written", d.mount, broken, d.file)}
	}
	d.cut = true
	return to.end(d.format.end)
}

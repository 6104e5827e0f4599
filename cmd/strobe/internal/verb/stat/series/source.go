// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"context"
	"io"
)

const (
	chunkSize   = 256 << 10
	longestLine = chunkSize - 64
)

// A chunk is some whole lines, each with its newline.
type chunk struct {
	lines []byte
	back  []byte // their buffer, to be returned
}

// A source cuts a stream into chunks of whole lines, on a goroutine of its own: reading and parsing overlap, and a read that
// blocks, as on a pipe, does not delay an interrupt.
type source struct {
	chunks chan chunk
	free   chan []byte
	err    error // of the reader; valid when chunks is closed
}

func newSource(ctx context.Context, r io.Reader) *source {
	s := &source{chunks: make(chan chunk), free: make(chan []byte, 3)}
	for range cap(s.free) {
		s.free <- make([]byte, chunkSize)
	}
	go s.pump(ctx, r)
	return s
}

func (s *source) pump(ctx context.Context, r io.Reader) {
	defer close(s.chunks)
	var rest []byte // the beginning of a line
	skip := false   // the rest of a line that is too long
	for {
		var buf []byte
		select {
		case buf = <-s.free:
		case <-ctx.Done():
			return
		}
		n := copy(buf, rest)
		more, err := r.Read(buf[n : chunkSize-1])
		n += more
		if skip {
			i := bytes.IndexByte(buf[:n], '\n')
			if skip = i < 0; skip {
				n = 0
			} else {
				n = copy(buf, buf[i+1:n])
			}
		}
		if err != nil && n > 0 && buf[n-1] != '\n' {
			buf[n] = '\n'
			n++
		}
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		rest = append(rest[:0], buf[end:n]...)
		if end == 0 && n > longestLine {
			end = copy(buf[40:], "\x00\n") + 40 // such a line is damaged, whatever it begins with
			rest, skip = rest[:0], true
		}
		select {
		case s.chunks <- chunk{buf[:end], buf}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			if err != io.EOF {
				s.err = err
			}
			return
		}
	}
}

// done returns a chunk's buffer.
func (s *source) done(c chunk) { s.free <- c.back }

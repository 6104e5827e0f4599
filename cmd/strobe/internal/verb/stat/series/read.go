// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"context"
	"errors"
	"io"
)

var errUTF16 = errors.New("is UTF-16; convert it first, as with iconv -f UTF-16 -t UTF-8")

// Read reads samples until the end of r, an error, or the end of ctx. In each case it returns what it has read. A line without a
// number is skipped and counted.
func Read(ctx context.Context, r io.Reader, o Options) (*Series, error) {
	s := newSeries(o)
	p := parser{to: s}
	if o.Column != "" {
		p.column = &column{name: o.Column}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	src := newSource(ctx, r)
	total := int64(0)
	for {
		select {
		case <-ctx.Done():
			return s, s.flush()
		case c, ok := <-src.chunks:
			if !ok {
				err := s.flush()
				if err == nil && p.column != nil && p.column.separator == 0 && s.Lines > 0 && src.err == nil {
					err = p.column.missing()
				}
				return s, errors.Join(src.err, err)
			}
			if total == 0 && (bytes.HasPrefix(c.lines, []byte{0xff, 0xfe}) || bytes.HasPrefix(c.lines, []byte{0xfe, 0xff})) {
				return s, errUTF16
			}
			if err := p.take(c.lines); err != nil {
				return s, err
			}
			total += int64(len(c.lines))
			if o.Progress != nil {
				o.Progress(s.Lines, total)
			}
			src.done(c)
		}
	}
}

// Options say what to read and which results will be needed.
type Options struct {
	Column    string                          // name of a column of a table; empty means one number per line
	Quantiles []float64                       // that will be needed, each above 0 and below 1
	Keep      int                             // how many samples to keep; 0 means the constant Keep
	Stored    bool                            // more samples than Keep are an error
	Progress  func(lines uint64, bytes int64) // called now and then; may be nil
}

const (
	chunkSize   = 256 << 10
	longestLine = chunkSize - 64
)

// A chunk has several whole lines, each with its newline.
type chunk struct {
	lines []byte
	back  []byte // the buffer, to be returned
}

// A source cuts a stream into chunks of whole lines, in a goroutine of its own, so that reading and parsing overlap, and a
// blocked read, for example from a pipe, does not delay an interrupt.
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
			end = copy(buf[40:], "\x00\n") + 40 // marks the line as damaged, whatever it begins with
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

// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"context"
	"errors"
	"io"
)

var errUTF16 = errors.New("is UTF-16; convert it first, as with iconv -f UTF-16 -t UTF-8")

// Read reads samples until the end, an error, or the end of ctx, and returns what was read until then in any case. A line that
// holds no number is skipped and counted.
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

// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/plain"
)

// read returns all captures of all files, and what could not be read. The error is that of the last file without a capture or,
// with --strict, with damage; the others are warnings.
func (f *Flags) read(s *session.Session, names []string) (captures []frames.Capture, damage []string, failed error) {
	fail := func(err error) {
		if failed != nil {
			s.Warn("%v", failed)
		}
		failed = err
		damage = append(damage, err.Error())
	}
	for _, name := range names {
		if s.Ctx.Err() != nil {
			return captures, damage, nil
		}
		found, err := f.open(s, name)
		wanted := found[:0:0]
		for _, c := range found {
			if strings.Contains(strings.ToLower(c.Process), strings.ToLower(f.Process)) {
				wanted = append(wanted, c)
			}
		}
		captures = append(captures, wanted...)
		switch {
		case len(found) > 0 && err != nil && s.Interrupted():
			damage = append(damage, fmt.Sprintf("%s: interrupted while it was read", found[0].File))
		case len(found) > 0 && err != nil && f.Strict:
			fail(fmt.Errorf("%w; the rest is used", trimmed(err)))
		case len(found) > 0 && err != nil:
			s.Warn("%v; the rest is used", trimmed(err))
			damage = append(damage, trimmed(err).Error())
		case err != nil:
			fail(trimmed(err))
		case len(wanted) == 0:
			fail(fmt.Errorf("%s: no process %q; the processes are %s", name, f.Process, processes(found)))
		}
	}
	return captures, damage, failed
}

func trimmed(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "frames: ")) }

func processes(captures []frames.Capture) string {
	var names []string
	seen := map[string]bool{}
	for _, c := range captures {
		if name := c.Process; !seen[name] && len(names) < 10 {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (f *Flags) open(s *session.Session, name string) ([]frames.Capture, error) {
	in, shown, size, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p := s.Progress()
	defer p.Clear()
	o := frames.ReadOptions{File: shown, Column: f.Column, Unit: string(f.Unit), PoolByName: f.Pool, Size: size}
	return frames.Read(&counted{r: &untilDone{ctx: s.Ctx, r: in}, show: func(bytes int64) { p.Show("%s", reading(shown, bytes, size)) }}, o)
}

// reading describes how much of a file has been read. size is 0 if unknown.
func reading(file string, bytes, size int64) string {
	if size > 0 {
		return fmt.Sprintf("reading %s, %.0f %%", plain.Text(file), 100*min(1, float64(bytes)/float64(size)))
	}
	return fmt.Sprintf("reading %s, %.0f MB", plain.Text(file), float64(bytes)/1e6)
}

// counted is a reader that sometimes shows how much has been read, but not for files that are read quickly.
type counted struct {
	r     io.Reader
	show  func(bytes int64)
	bytes int64
	next  time.Time
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.bytes += int64(n)
	switch now := time.Now(); {
	case c.next.IsZero():
		c.next = now.Add(500 * time.Millisecond)
	case now.After(c.next):
		c.next = now.Add(200 * time.Millisecond)
		c.show(c.bytes)
	}
	return n, err
}

// untilDone is a reader that ends when ctx does, even while a read blocks.
type untilDone struct {
	ctx   context.Context
	r     io.Reader
	parts chan part
	left  []byte
	err   error
}

type part struct {
	text []byte
	err  error
}

func (u *untilDone) Read(p []byte) (int, error) {
	if u.parts == nil {
		u.parts = make(chan part)
		go u.pump()
	}
	for len(u.left) == 0 && u.err == nil {
		select {
		case next := <-u.parts:
			u.left, u.err = next.text, next.err
		case <-u.ctx.Done():
			u.err = errors.New("interrupted")
		}
	}
	n := copy(p, u.left)
	if u.left = u.left[n:]; n > 0 {
		return n, nil
	}
	return 0, u.err
}

func (u *untilDone) pump() {
	var buffers [2][64 << 10]byte // one is being filled while the other is in use
	for i := 0; ; i++ {
		n, err := u.r.Read(buffers[i%2][:])
		select {
		case u.parts <- part{buffers[i%2][:n], err}:
		case <-u.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

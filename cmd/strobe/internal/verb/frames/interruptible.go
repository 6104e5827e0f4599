// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"context"
	"errors"
	"io"
)

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
	var buffers [2][64 << 10]byte // one is filled while the other is used
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

// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"bytes"
	"fmt"
	"strings"
)

// Of a long text its beginning is kept, which says what it covers, and its end, which says what to do next.
const (
	headBytes = 16 << 10
	tailBytes = 8 << 10
)

// A bounded keeps the beginning and the end of what is written to it. The zero value is ready.
type bounded struct {
	head, tail []byte
	bytes      int // written in all
}

// Write implements io.Writer, without errors.
func (b *bounded) Write(p []byte) (int, error) {
	b.bytes += len(p)
	n := min(len(p), headBytes-len(b.head))
	b.head = append(b.head, p[:n]...)
	b.tail = append(b.tail, p[n:]...)
	if len(b.tail) > 2*tailBytes { // not at each write
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-tailBytes:]...)
	}
	return len(p), nil
}

// text returns what is kept, in whole lines where lines are short, and where something was left out says so, and that whole prints all.
func (b *bounded) text(whole string) string {
	head, tail := b.head, b.tail
	if b.bytes > headBytes+tailBytes {
		if tail = tail[len(tail)-tailBytes:]; bytes.IndexByte(tail, '\n') >= 0 {
			tail = tail[bytes.IndexByte(tail, '\n')+1:]
		}
		if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
			head = head[:i+1]
		}
		left := b.bytes - len(head) - len(tail)
		return fmt.Sprintf("%s\n... %d of %d bytes are left out here; to see all, run: %s\n\n%s", clean(head), left, b.bytes, whole, clean(tail))
	}
	return clean(append(head[:len(head):len(head)], tail...))
}

// clean returns bytes as text.
func clean(b []byte) string { return strings.ToValidUTF8(string(b), "?") }

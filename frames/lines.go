// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLine bounds the memory for one line. A plain list of half a million frames on one line still fits.
const maxLine = 4 << 20

var errLongLine = errors.New("line is longer than 4 MiB, skipped")

// lines reads one line at a time, in any encoding, and counts them.
type lines struct {
	r      *bufio.Reader
	buf    []byte
	number int      // number of the last line returned, from 1
	cut    bool     // the last line returned has no end: the file stops there
	again  [][]byte // lines to return once more before those of r
	read   int64    // bytes in the lines returned
	size   int64    // bytes in all lines; 0 if unknown
}

// total estimates how many things the text has if n have been read; 0 if its size is unknown. The estimate is bounded, even if
// the given size is wrong.
func (l *lines) total(n int) int {
	if l.size <= l.read || l.read == 0 {
		return 0
	}
	const spare = 1.02 // lines may become shorter
	return int(min(spare*float64(n)*float64(l.size)/float64(l.read), 256*float64(n)))
}

// newLines detects UTF-8 and both byte orders of UTF-16, with or without a byte order mark, and rejects what is not text.
func newLines(r io.Reader) (*lines, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	head, err := br.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		br.Discard(3)
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), evenNonZero(head):
		br = bufio.NewReaderSize(&utf16Reader{src: br}, 64<<10)
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), len(head) > 0 && head[0] == 0 && evenNonZero(head[1:]):
		br = bufio.NewReaderSize(&utf16Reader{src: br, big: true}, 64<<10)
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}), bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, errors.New("the file is compressed; unpack it first")
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errors.New("the file holds binary data, not a text capture")
	}
	if start, _ := br.Peek(4096); bytes.IndexByte(start, '\r') >= 0 && bytes.IndexByte(start, '\n') < 0 {
		br = bufio.NewReaderSize(&returnReader{br}, 64<<10)
	}
	return &lines{r: br}, nil
}

// returnReader turns carriage returns, with which some programs end lines, into newlines.
type returnReader struct{ r io.Reader }

func (c *returnReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// isObject reports whether the text begins with a brace, as a JSON object does.
func (l *lines) isObject() bool {
	start, _ := l.r.Peek(4096)
	return bytes.HasPrefix(bytes.TrimSpace(start), []byte{'{'})
}

// evenNonZero detects UTF-16 without a byte order mark: every second byte is zero and the others are not, since captures begin
// with ASCII.
func evenNonZero(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == 0 || b[i+1] != 0 {
			return false
		}
	}
	return true
}

// next returns the next line without its end. The bytes are valid until the next call. It returns errLongLine for a line it had
// to skip (reading may continue), io.EOF at the end, or the error of the underlying reader.
func (l *lines) next() ([]byte, error) {
	if len(l.again) > 0 {
		line := l.again[0]
		l.again = l.again[1:]
		l.number++
		return line, nil
	}
	l.buf = l.buf[:0]
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.read += int64(len(part))
		if len(part) > 0 && !tooLong {
			if len(l.buf)+len(part) > maxLine {
				tooLong = true
				l.buf = l.buf[:0]
			} else {
				l.buf = append(l.buf, part...)
			}
		}
		switch {
		case err == nil:
			l.cut = false
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(l.buf) > 0 || tooLong):
			l.cut = true
		default:
			return nil, err
		}
		l.number++
		if tooLong {
			return nil, errLongLine
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}

// maxRecord bounds how many lines a cell between quotes may span.
const maxRecord = 32

// record extends a line with an open quote up to the line that closes it. If none does, it returns the line unchanged, and next
// returns the following lines again.
func (l *lines) record(line []byte) []byte {
	record := slices.Clone(line)
	var taken [][]byte
	for range maxRecord {
		more, err := l.next()
		if err != nil {
			break
		}
		taken = append(taken, slices.Clone(more))
		record = append(append(record, '\n'), more...)
		if bytes.Count(record, quotes)%2 == 0 {
			return record
		}
	}
	l.again = append(taken, l.again...)
	l.number -= len(taken)
	return record[:len(line)]
}

var quotes = []byte{'"'}

// utf16Reader converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD, and an odd last byte is dropped.
type utf16Reader struct {
	src   *bufio.Reader
	big   bool
	begun bool
	out   []byte
	high  rune // a high surrogate that waits for its partner
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if err := u.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[:copy(u.out, u.out[n:])]
	return n, nil
}

func (u *utf16Reader) fill() error {
	var pair [2]byte
	for len(u.out) < 4096 {
		if _, err := io.ReadFull(u.src, pair[:]); err != nil {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			if err == io.EOF && u.high != 0 {
				u.out = utf8.AppendRune(u.out, utf8.RuneError)
				u.high = 0
			}
			if len(u.out) > 0 && err == io.EOF {
				return nil
			}
			return err
		}
		c := rune(pair[1])<<8 | rune(pair[0])
		if u.big {
			c = rune(pair[0])<<8 | rune(pair[1])
		}
		first := !u.begun
		u.begun = true
		if first && c == 0xFEFF {
			continue
		}
		if u.high != 0 {
			r := utf16.DecodeRune(u.high, c)
			u.out = utf8.AppendRune(u.out, r)
			u.high = 0
			if r != utf8.RuneError {
				continue
			}
		}
		if c >= 0xD800 && c < 0xDC00 {
			u.high = c
			continue
		}
		u.out = utf8.AppendRune(u.out, c) // a lone low surrogate becomes U+FFFD
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	longestQuery = 16 << 10 // bytes that are read of a query
	longestName  = 240      // bytes of a name: less than strobe keeps, with room for " (rows)"
)

// Normalize returns the name of a query: its text with each literal and parameter as "?", each list of them as one "?", equal groups in
// parentheses that follow each other as one, no comments, and single spaces. A name of more than 240 bytes is cut in the middle,
// and what comes after the first 16 KiB of a query is ignored. Literals are those of standard SQL and PostgreSQL: text in double
// quotes or backquotes is a name, and a backslash means nothing, except in E'...'.
func Normalize(query string) string {
	name, _ := normalize(query)
	return name
}

// normalize also reports whether the query has literals.
func normalize(query string) (name string, literals bool) {
	s := scanner{in: query}
	if len(query) > longestQuery {
		s.in, s.literals = query[:longestQuery], true
	}
	s.out = make([]byte, 0, min(len(s.in), 512))
	for s.at < len(s.in) {
		s.next()
	}
	text := strings.TrimRight(string(s.out), "; ")
	if text == "" {
		text = "(empty query)"
	}
	return shorten(text), s.literals
}

// shorten cuts a long text in the middle, at runes.
func shorten(text string) string {
	if len(text) <= longestName {
		return text
	}
	const gap = " ... "
	head, tail := longestName*2/3, len(text)-(longestName/3-len(gap))
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + gap + text[tail:]
}

// A scanner reads the tokens of a query and writes what is left of them.
type scanner struct {
	in       string
	at       int
	out      []byte
	space    bool // there was space since the last token
	groups   []int
	literals bool
}

// next reads a token.
func (s *scanner) next() {
	rest := s.in[s.at:]
	c := rest[0]
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		s.space = true
		s.at++
	case strings.HasPrefix(rest, "--"):
		s.space = true
		s.at += through(rest, "\n", 2)
	case strings.HasPrefix(rest, "/*"):
		s.space = true
		s.at += comment(rest)
	case c == '\'':
		s.literal(quoted(rest, 0, false))
	case c == '"' || c == '`':
		s.word(quoted(rest, 0, false))
	case c == '$':
		s.dollar(rest)
	case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]):
		s.number(rest)
	case letter(c):
		s.name(rest)
	case c == '?' || (c == ':' || c == '@') && len(rest) > 1 && (letter(rest[1]) || digit(rest[1])) && !s.endsWith(c):
		s.value(1 + alphanumeric(rest[1:]))
	default:
		s.symbol(c)
	}
}

// literal is a value that is written in the query.
func (s *scanner) literal(n int) {
	s.literals = true
	s.value(n)
}

// value writes a token of n bytes as a "?". Those of a list become one.
func (s *scanner) value(n int) {
	s.at += n
	if bytes.HasSuffix(s.out, []byte("?,")) {
		s.out = s.out[:len(s.out)-1]
		s.space = false
		return
	}
	s.write("?")
}

func (s *scanner) word(n int) {
	s.write(s.in[s.at : s.at+n])
	s.at += n
}

// name reads a name or a keyword, or the prefix of a literal, as in N'text'.
func (s *scanner) name(rest string) {
	n := alphanumeric(rest)
	switch {
	case n == 1 && len(rest) > 1 && rest[1] == '\'' && strings.ContainsRune("bBeEnNxX", rune(rest[0])):
		s.literal(quoted(rest, 1, rest[0] == 'e' || rest[0] == 'E'))
	case n == 1 && len(rest) > 2 && (rest[:3] == "U&'" || rest[:3] == "u&'"):
		s.literal(quoted(rest, 2, false))
	default:
		s.word(n)
	}
}

// number reads a number, and removes a sign that cannot be an operator.
func (s *scanner) number(rest string) {
	n := 1
	for n < len(rest) && (digit(rest[n]) || letter(rest[n]) || rest[n] == '.' || (rest[n] == '+' || rest[n] == '-') && rest[n-1]|0x20 == 'e' && rest[0] != '0') {
		n++
	}
	if l := len(s.out); l > 0 && (s.out[l-1] == '-' || s.out[l-1] == '+') {
		if before := bytes.TrimRight(s.out[:l-1], " "); len(before) > 0 && bytes.IndexByte([]byte("=<>(,"), before[len(before)-1]) >= 0 {
			s.space = len(before) < l-1
			s.out = before
		}
	}
	s.literal(n)
}

// dollar reads a parameter such as $1 or a literal such as $$text$$ or $tag$text$tag$.
func (s *scanner) dollar(rest string) {
	n := 1 + alphanumeric(rest[1:])
	switch {
	case n < len(rest) && rest[n] == '$' && (n == 1 || !digit(rest[1])):
		s.literal(through(rest, rest[:n+1], n+1))
	case n > 1:
		s.value(n)
	default:
		s.symbol('$')
	}
}

// symbol writes a byte that is not a part of anything longer. A group that repeats the one before it is removed.
func (s *scanner) symbol(c byte) {
	s.at++
	switch c {
	case ',', ')', ';':
		s.space = false
	}
	s.write(string(rune(c)))
	switch c {
	case '(':
		s.groups = append(s.groups, len(s.out)-1)
	case ')':
		if len(s.groups) == 0 {
			return
		}
		start := s.groups[len(s.groups)-1]
		s.groups = s.groups[:len(s.groups)-1]
		if before, found := bytes.CutSuffix(s.out[:start], []byte(", ")); found && bytes.HasSuffix(before, s.out[start:]) {
			s.out = before
		}
	}
}

// write writes a token, and a space before it if there was one or if it follows a comma.
func (s *scanner) write(token string) {
	if l := len(s.out); l > 0 && s.out[l-1] != '(' && (s.space || s.out[l-1] == ',') {
		s.out = append(s.out, ' ')
	}
	s.space = false
	s.out = append(s.out, token...)
}

func (s *scanner) endsWith(c byte) bool {
	return !s.space && len(s.out) > 0 && s.out[len(s.out)-1] == c
}

// quoted returns the length of a text in quotes, the first of which is at i. A doubled quote is a part of the text.
func quoted(text string, i int, backslash bool) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case backslash && text[i] == '\\':
			i++
		case text[i] != quote:
		case i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// comment returns the length of a comment, which may have others inside.
func comment(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// through returns the length of text up to and with the first end at or after from.
func through(text, end string, from int) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

// alphanumeric returns how many bytes of a name text begins with.
func alphanumeric(text string) int {
	n := 0
	for n < len(text) && (letter(text[n]) || digit(text[n])) {
		n++
	}
	return n
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }

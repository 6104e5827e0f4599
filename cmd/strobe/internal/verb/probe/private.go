// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"bytes"
	"encoding/json"
	"os"
	"os/user"
	"regexp"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/internal/plain"
)

// A private has words that must not be in a file for others, each with what stands in its place. What is collected has none of them
// by its choice; but an error of the system may name a file.
type private []struct{ word, instead string }

// nobody are names that identify nobody.
var nobody = [...]string{"root", "administrator", "localhost", "user", "admin"}

// here returns what is private on this machine.
func here() (p private) {
	home, _ := os.UserHomeDir()
	name, _ := os.Hostname()
	names := []string{os.Getenv("USER"), os.Getenv("LOGNAME"), os.Getenv("USERNAME")}
	if u, err := user.Current(); err == nil {
		_, account, _ := strings.Cut(u.Username, `\`) // DOMAIN\name on Windows
		names = append(names, u.Username, account, u.Name)
		if u.HomeDir != home {
			p = p.add(u.HomeDir, "(home)")
		}
	}
	short, _, _ := strings.Cut(name, ".")
	p = p.add(home, "(home)").add(name, "(host)").add(short, "(host)").add(os.Getenv("COMPUTERNAME"), "(host)").add(os.Getenv("USERDOMAIN"), "(host)")
	for _, name := range names {
		p = p.add(name, "(user)")
	}
	return p
}

// add adds a word that identifies somebody.
func (p private) add(word, instead string) private {
	if len(word) < 2 || slices.Contains(nobody[:], strings.ToLower(word)) || strings.Trim(word, `/\.`) == "" {
		return p
	}
	return append(p, struct{ word, instead string }{word, instead})
}

// hide replaces the words in the values of an object in JSON.
func (p private) hide(object []byte) []byte {
	values := regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\s*:)?`) // with what follows them, if that makes them keys
	return values.ReplaceAllFunc(object, func(token []byte) []byte {
		var text string
		if bytes.HasSuffix(token, []byte(":")) || json.Unmarshal(token, &text) != nil {
			return token
		}
		hidden := p.clean(text)
		if hidden == text {
			return token
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(hidden) != nil {
			return token
		}
		return plain.AppendJSON(nil, bytes.TrimSpace(b.Bytes()))
	})
}

// clean replaces the words in a text, whatever their case, unless they are part of longer ones.
func (p private) clean(text string) string {
	for _, w := range p {
		lower, word := strings.ToLower(text), strings.ToLower(w.word)
		if len(lower) != len(text) { // a rare letter whose other case has another length
			lower, word = text, w.word
		}
		var b strings.Builder
		from := 0
		for {
			at := strings.Index(lower[from:], word)
			if at < 0 {
				break
			}
			at += from
			end := at + len(word)
			b.WriteString(text[from:at])
			if at > 0 && isWord(text[at-1]) && isWord(text[at]) || end < len(text) && isWord(text[end]) && isWord(text[end-1]) {
				b.WriteString(text[at:end])
			} else {
				b.WriteString(w.instead)
			}
			from = end
		}
		b.WriteString(text[from:])
		text = b.String()
	}
	return text
}

// isWord reports whether a byte continues a word.
func isWord(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

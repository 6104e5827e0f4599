// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"errors"
	"os"
	"strings"
)

// Shell returns the words that run text in a shell: a command such as "bash --norc", or "" for that of the system.
func Shell(shell, text string) ([]string, error) {
	if shell == "" {
		if shell = "sh"; os.PathSeparator == '\\' {
			shell = "cmd"
		}
	}
	words, err := Split(shell)
	if err != nil {
		return nil, err
	}
	run := "-c"
	if name := strings.ToLower(words[0]); strings.HasSuffix(name, "cmd") || strings.HasSuffix(name, "cmd.exe") {
		run = "/c"
	}
	return append(words, run, text), nil
}

// NeedsShell reports whether text uses shell syntax outside of quotes: pipes, lists, redirections, variables or patterns. In
// double quotes a shell replaces variables too.
func NeedsShell(text string) bool {
	quote, escaped := rune(0), false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '\\' && quote != '\'':
			escaped = true
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case (c == '$' || c == '`') && quote != '\'':
			return true
		case quote == 0 && strings.ContainsRune("|&;<>*?\n", c):
			return true
		}
	}
	return false
}

// Split splits a command into words as a shell does, but does nothing else: blanks separate words, single quotes protect
// everything, double quotes everything but \" and \\, and elsewhere a backslash protects the next character.
func Split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote, escaped := false, rune(0), false
	for _, c := range text {
		switch {
		case escaped:
			if quote == '"' && c != '"' && c != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			open, escaped = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '\'' || c == '"':
			open, quote = true, c
		case strings.ContainsRune(" \t\r\n", c):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(c)
		}
	}
	switch {
	case quote != 0:
		return nil, errors.New("a quote " + string(quote) + " is not closed")
	case escaped:
		return nil, errors.New("ends in a backslash")
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("names no program")
	}
	return words, nil
}

// Join writes words so that Split gives them back.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		switch {
		case w != "" && !strings.ContainsAny(w, " \t\r\n'\"\\"):
			quoted[i] = w
		case !strings.Contains(w, "'"):
			quoted[i] = "'" + w + "'"
		default:
			quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(w) + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// SPDX-License-Identifier: BSD-3-Clause

package command

import (
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

// NeedsShell reports whether text has what only a shell understands, outside of quotes: pipes, lists, redirections, variables
// and patterns. In double quotes a shell replaces variables too.
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

// SPDX-License-Identifier: BSD-3-Clause

package cli

// A Verb is one row of the command's table.
type Verb struct {
	Name    string
	Summary string // one line of help
	Command any    // pointer to a struct of flags, with Run(*session.Session) error and, for longer help, Help() string
}

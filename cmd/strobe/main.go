// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func main() {
	session.SurvivePipes()
	os.Exit(cli.Run(session.Interruptible(), verbs(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

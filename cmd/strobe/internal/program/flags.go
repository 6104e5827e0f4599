// SPDX-License-Identifier: BSD-3-Clause

// Package program builds Go programs with a zone in each function that is worth one: what strobe run and strobe build share.
package program

// Flags say what is built, and where zones go.
type Flags struct {
	Zones    []string `placeholder:"PATTERNS" help:"Functions that get zones, separated by commas: PACKAGE or PACKAGE.FUNCTION, with ... for any text; all of the main module if not given."`
	Skip     []string `placeholder:"PATTERNS" help:"Functions that get none."`
	Units    []string `placeholder:"PATTERNS" help:"Functions whose calls are units, as those of handlers are: the page shows their latencies and the slowest, and --capture explains slow ones."`
	Closures bool     `help:"Function literals get zones, too."`
	Costly   bool     `name:"all-functions" help:"Zones also for functions whose calls took so long to measure in an earlier run that they are left out."`
	List     bool     `help:"Print the functions with and without zones, and why, and build nothing."`
	All      bool     `help:"With --list: all functions, not only the first 100 with and without zones."`
	Quiet    bool     `short:"q" help:"Print only errors on standard error."`
	Dir      string   `short:"C" placeholder:"DIR" help:"Work in this folder."`
	Go       []string `name:"go" sep:"none" placeholder:"FLAG" help:"A flag for go build, such as --go=-race; -race, -tags=x and other flags of it may also be given as they are."`
}

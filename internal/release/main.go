// SPDX-License-Identifier: BSD-3-Clause

// Release rehearses a release of the modules in this tree, which are the library, the command and those in contrib:
//
//	go run ./internal/release
//
// It makes the archives that their tags would have, serves them to the go command as a module proxy, and does elsewhere what
// users do: it installs the commands and runs them, and builds, vets and runs programs that import the packages. It prints the
// tags to set, in the order in which they must be pushed, and exits with 1 if anything failed. It does not change the tree, and
// leaves no rehearsed version in the module cache.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := rehearse(".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func rehearse(root string, out io.Writer) error {
	modules, err := released(root)
	if err != nil {
		return err
	}
	e, err := newElsewhere()
	if err != nil {
		return err
	}
	defer e.remove()
	for _, m := range modules {
		if err := m.publish(root, e.proxy); err != nil {
			return err
		}
	}
	if err := e.commands(out); err != nil {
		return err
	}
	for _, u := range users {
		if err := e.use(root, u); err != nil {
			return fmt.Errorf("a program that uses %s: %w", u.name, err)
		}
		fmt.Fprintf(out, "built, vetted and ran a program that uses %s\n", u.name)
	}
	for _, m := range modules {
		fmt.Fprintf(out, "tag %s\n", m.tag())
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

// Release rehearses and makes releases of the modules in this tree: the library, the command and those in contrib.
//
//	go -C tools run ./release                     rehearses
//	go -C tools run ./release [-push] VERSION     tags a version
//	go -C tools run ./release -binaries FOLDER VERSION
//	                                              builds the command for every platform, from the published modules
//
// A rehearsal makes the archives that the tags would have, serves them to the go command as a module proxy, and does elsewhere
// what users do: it installs the commands and runs them, and builds, vets and runs programs that import the packages. It prints
// the tags in the order in which they are set. It does not change the tree, and leaves no rehearsed version in the module cache.
//
// With a version such as v0.1.0, which the modules must require of the library, it runs ./check, which includes the rehearsal,
// tags the version of every module, and prints the command that publishes the tags, or with -push runs it. It refuses if the
// checkout has changes or is not on main, if the published main or tag differs, or if CHANGELOG.md has no dated section of the
// version.
//
// The archives of -binaries are reproducible, and so is the command in them: RELEASE.md says how to verify one. The rehearsal builds
// that of this machine twice and compares the bytes. NOTES.md, beside them, is the section of CHANGELOG.md.
//
// The exit code is 1 if anything failed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// The root of the tree, from the folder in which `go -C tools run` runs this.
const root = ".."

func main() {
	push := flag.Bool("push", false, "publish the tags")
	folder := flag.String("binaries", "", "the folder that gets archives of the command")
	flag.Parse()
	var err error
	switch {
	case *folder != "" && flag.NArg() == 1 && !*push:
		err = publishable(root, flag.Arg(0), *folder, os.Stdout)
	case *folder != "":
		usage()
	case flag.NArg() == 0 && !*push:
		err = rehearse(root, os.Stdout)
	case flag.NArg() == 1:
		err = release(root, flag.Arg(0), *push, os.Stdout)
	default:
		usage()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: release [[-push | -binaries FOLDER] VERSION]")
	os.Exit(2)
}

func rehearse(root string, out io.Writer) error {
	modules, err := released(root)
	if err != nil {
		return err
	}
	e, err := newElsewhere(modules[0].version)
	if err != nil {
		return err
	}
	defer e.remove()
	for _, m := range modules {
		if err := m.serve(root, e.proxy); err != nil {
			return err
		}
	}
	if err := e.commands(out); err != nil {
		return err
	}
	if err := e.binary(root); err != nil {
		return fmt.Errorf("archives of the command: %w", err)
	}
	fmt.Fprintln(out, "packed the command twice, with the same bytes")
	if err := e.instrument(root); err != nil {
		return fmt.Errorf("a program with zones in its functions: %w", err)
	}
	fmt.Fprintln(out, "built and ran a program with zones in its functions")
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

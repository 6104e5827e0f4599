// SPDX-License-Identifier: BSD-3-Clause

// Platforms writes the table of docs/platforms.md from what `./check platforms` ran: a file for each platform, whose first line
// describes the run and whose other lines are those of go test -json. Rows of platforms that were not run now stay as they are.
//
//	platforms -o docs/platforms.md FILE...
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
)

func main() {
	out := flag.String("o", "", "the document to write")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: platforms -o docs/platforms.md FILE...")
		os.Exit(2)
	}
	if err := update(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "platforms:", err)
		os.Exit(2)
	}
}

// update replaces the rows of the platforms that the files are about.
func update(doc string, files []string) error {
	text, err := os.ReadFile(doc)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rows := parse(string(text))
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		r, err := read(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows[r.Platform] = r.row()
	}
	return os.WriteFile(doc, []byte(document(rows)), 0o666)
}

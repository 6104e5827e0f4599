// SPDX-License-Identifier: BSD-3-Clause

// Wine runs a program for Windows in Wine, with its arguments, streams and exit code: for go test -exec.
//
//	GOOS=windows go test -exec wine ./clock
//
// It makes a folder for what Wine takes for a system of Windows, once: STROBE_WINE, or one in the user's cache.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: wine PROGRAM [ARGUMENT...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wine:", err)
		os.Exit(125)
	}
	os.Exit(code)
}

// run runs a program and returns its exit code. What it prints goes through a file: Wine's server, which outlives it, would keep a pipe
// open.
func run(args []string, in io.Reader, out io.Writer) (code int, err error) {
	wine, err := find()
	if err != nil {
		return 0, err
	}
	system, err := prepare(wine)
	if err != nil {
		return 0, err
	}
	file, err := os.CreateTemp("", "wine")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	c := exec.Command(wine, args...)
	c.Stdin, c.Stdout, c.Stderr, c.Env = in, file, file, environment(system)
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return 0, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	if _, err := io.Copy(out, file); err != nil {
		return 0, err
	}
	return c.ProcessState.ExitCode(), nil
}

// find returns Wine for 64-bit programs.
func find() (string, error) {
	for _, name := range []string{"wine64", "/usr/lib/wine/wine64", "wine"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Wine is installed; on Debian: apt install wine64")
}

func environment(system string) []string {
	return append(os.Environ(), "WINEPREFIX="+system, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=")
}

// prepare makes the folder of the system if it is not there. Wine 8, which Debian has, lacks a library from which the runtime of Go takes
// one function.
func prepare(wine string) (system string, err error) {
	if system = os.Getenv("STROBE_WINE"); system == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		system = filepath.Join(cache, "strobe", "wine")
	}
	dll := filepath.Join(system, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(dll); err == nil {
		return system, nil
	}
	if err := os.MkdirAll(system, 0o700); err != nil {
		return "", err
	}
	boot := exec.Command(wine, "wineboot", "--init")
	boot.Env = environment(system)
	if boot.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil {
		return "", err
	}
	boot.Stderr = boot.Stdout
	if err := boot.Run(); err != nil {
		return "", fmt.Errorf("wineboot: %w", err)
	}
	return system, os.WriteFile(dll, library("bcryptprimitives.dll", forward{"ProcessPrng", "advapi32.SystemFunction036"}), 0o666)
}

// SPDX-License-Identifier: BSD-3-Clause

// Package browser opens pages in the user's browser.
package browser

import (
	"os"
	"os/exec"
	"runtime"
)

// Open opens a page. It does not wait until the browser shows it.
func Open(page string) error {
	command := []string{"xdg-open", page}
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", page}
	case "darwin":
		command = []string{"open", page}
	}
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	return nil
}

// Screen reports whether there is a screen that a browser can use. In a terminal without one, xdg-open may start a browser that
// takes the terminal.
func Screen() bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return true
	case "js":
		return false
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

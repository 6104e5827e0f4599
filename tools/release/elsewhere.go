// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An elsewhere is an empty folder outside the tree. The go command gets the released modules from the proxy in it, and all others
// from the user's module cache or the user's proxy. It stores them in the folder, so that no rehearsed version stays in the
// user's cache.
type elsewhere struct {
	folder, proxy, bin string
	version            string // version that is rehearsed
	env                []string
}

func newElsewhere(version string) (*elsewhere, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	cache, proxies, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	folder, err := os.MkdirTemp("", "strobe-release")
	if err != nil {
		return nil, err
	}
	e := &elsewhere{folder: folder, proxy: filepath.Join(folder, "proxy"), bin: filepath.Join(folder, "bin"), version: version}
	e.env = append(os.Environ(),
		"GOPROXY="+strings.Join([]string{asURL(e.proxy), asURL(filepath.Join(cache, "cache", "download")), proxies}, ","),
		"GOPRIVATE=", "GONOPROXY=", "GOSUMDB=off", // no checksum database knows the released modules, and it needs a network
		"GOMODCACHE="+filepath.Join(folder, "mod"), "GOBIN="+e.bin,
		"GOWORK=off", "GOFLAGS=-modcacherw -trimpath") // trimmed paths, so that rehearsals share the build cache
	return e, nil
}

func (e *elsewhere) remove() { _ = os.RemoveAll(e.folder) }

// run runs a command in a folder and returns its output and error output.
func (e *elsewhere) run(dir string, env []string, stdin, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(append(e.env[:len(e.env):len(e.env)], "PWD="+dir), env...), strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out), err
}

func asURL(folder string) string {
	folder = filepath.ToSlash(folder)
	if !strings.HasPrefix(folder, "/") {
		folder = "/" + folder // a drive
	}
	return "file://" + folder
}

// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// WithVersion lets a package be given as PATH@VERSION, as go run takes it: the go command then works in a module that requires that
// version and nothing else, whatever module is around. WithVersion returns the path, or a target without version as it is. The
// module is kept in the user's cache folder; done removes it if it cannot be kept.
func (f *Flags) WithVersion(s *session.Session, target string) (path string, done func(), err error) {
	done = func() {}
	path, version, found := strings.Cut(target, "@")
	if !found || strings.HasSuffix(target, ".go") || strings.HasPrefix(target, ".") || filepath.IsAbs(target) { // folders may have an @
		return target, done, nil
	}
	if path == "" || version == "" {
		return "", done, fmt.Errorf("%s: a version belongs to an import path, as in example.com/cmd/tool@latest", target)
	}
	sum := sha256.Sum256([]byte(target))
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "strobe", "versions", hex.EncodeToString(sum[:8]))
		err = requires(s, dir, target, version)
	}
	var unwritable *os.PathError
	if err != nil && (dir == "" || errors.As(err, &unwritable)) {
		if dir, err = session.TempDir("strobe-version-"); err != nil {
			return "", done, err
		}
		done = func() { os.RemoveAll(dir) }
		err = requires(s, dir, target, version)
	}
	f.Dir = dir
	return path, done, err
}

// requires makes the module in dir require the target.
func requires(s *session.Session, dir, target, version string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	switch {
	case err != nil:
		if err := os.WriteFile(file, []byte("module versions.strobe\n\ngo 1.24\n"), 0o666); err != nil {
			return err
		}
	case bytes.Contains(text, []byte(" "+version+" // indirect")): // not a word such as latest, of which the meaning changes
		return nil
	}
	defer waiting(s, "fetching "+target)()
	cmd := exec.CommandContext(s.Ctx, "go", "get", target)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case s.Interrupted():
		return s.Ctx.Err()
	case errors.As(err, &failed):
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		return fmt.Errorf("cannot fetch %s: %s", target, strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "go: "))
	case err != nil:
		return fmt.Errorf("cannot run the go command: %w", err)
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
)

// A Missing error names what is missing and how to get it.
type Missing struct{ What, Remedy string }

// Error returns what is missing and the remedy, in a line.
func (m *Missing) Error() string { return m.What + "; " + m.Remedy }

// Cache returns the folder of kernels and of the guest's first process.
func Cache() (string, error) { return host.Cache("arm64") }

// FindKernel returns an arm64 kernel whose version begins as given, "" for any: the first found of STROBE_KERNEL, the cache
// and /boot. In each folder the oldest version is preferred, which boots fastest.
func FindKernel(version string) (string, error) {
	if file := os.Getenv("STROBE_KERNEL"); file != "" && version == "" {
		if _, err := os.Stat(file); err != nil {
			return "", &Missing{fmt.Sprintf("STROBE_KERNEL names %s, which cannot be read", file), "name an arm64 Image"}
		}
		return file, nil
	}
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	for _, pattern := range []string{filepath.Join(cache, "vmlinuz-"+version+"*"), "/boot/vmlinuz-" + version + "*arm64"} {
		found, _ := filepath.Glob(pattern) // the pattern is valid
		if len(found) > 0 {
			return slices.Min(found), nil
		}
	}
	what := "no arm64 kernel"
	if version != "" {
		what += " " + version
	}
	return "", &Missing{what + " in " + cache, "strobe exact --setup fetches one on Debian; or name a kernel with --kernel FILE"}
}

func findQEMU() (string, error) {
	qemu, err := exec.LookPath("qemu-system-aarch64")
	if err != nil {
		return "", &Missing{"qemu-system-aarch64 is not in PATH", "on Debian: apt-get install --no-install-recommends qemu-system-arm"}
	}
	return qemu, nil
}

//go:embed guest/main.go
var guestSource []byte

// guest returns the first process of the machine. It is built once for each version of its source.
func guest(ctx context.Context) (string, error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	file := filepath.Join(cache, fmt.Sprintf("guest-%x", sha256.Sum256(guestSource)))[:len(cache)+1+len("guest-")+16]
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	dir, err := os.MkdirTemp("", "strobe-guest-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "main.go")
	if err := errors.Join(os.WriteFile(source, guestSource, 0o666), os.MkdirAll(cache, 0o777)); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", "guest", "main.go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off", "GO111MODULE=off", "GOFLAGS=", "PWD="+dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the guest's first process: %w: %s; go must be in PATH", err, strings.TrimSpace(string(text)))
	}
	// Two processes may build at once: each renames a complete file into place.
	if err := os.Rename(filepath.Join(dir, "guest"), file); err == nil {
		return file, nil
	}
	binary, err := os.ReadFile(filepath.Join(dir, "guest")) // another file system
	if err != nil {
		return "", err
	}
	half := fmt.Sprintf("%s.%d", file, os.Getpid())
	if err := os.WriteFile(half, binary, 0o777); err != nil {
		return "", err
	}
	return file, os.Rename(half, file)
}

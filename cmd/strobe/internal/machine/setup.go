// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// byHand explains how to put a kernel into the cache if apt cannot fetch one.
func byHand(cache string) string {
	return "copy an arm64 Image with built-in drivers, such as boot/vmlinuz-* of Debian's package linux-image-cloud-arm64, to " + cache + ", or keep one with strobe exact --setup --kernel FILE"
}

// Keep copies a kernel into the cache and returns its file there.
func Keep(kernel string) (string, error) {
	if err := isImage(kernel); err != nil {
		return "", err
	}
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	name := filepath.Base(kernel)
	if !strings.HasPrefix(name, "vmlinuz-") {
		name = "vmlinuz-" + name
	}
	return filepath.Join(cache, name), copyTo(kernel, filepath.Join(cache, name))
}

// isImage returns an error if a file is not what QEMU boots: an arm64 Image, possibly compressed with gzip.
func isImage(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return &Missing{fmt.Sprintf("the kernel %s cannot be read", file), "name an arm64 Image with --kernel"}
	}
	defer f.Close()
	head := make([]byte, 64)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) && string(head[56:60]) != "ARM\x64" {
		return &Missing{file + " is not an arm64 kernel Image", "an EFI or ELF file must be unpacked first"}
	}
	return nil
}

// copyTo copies a file. Two processes may do so at once: each renames a complete file into place.
func copyTo(from, to string) error {
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	half := fmt.Sprintf("%s.%d", to, os.Getpid())
	half = filepath.Join(filepath.Dir(half), "."+filepath.Base(half)) // FindKernel must not see it
	if err == nil {
		err = os.WriteFile(half, text, 0o666)
	}
	if err == nil {
		err = os.Rename(half, to)
	}
	if err != nil {
		os.Remove(half)
	}
	return err
}

// Fetch downloads one of Debian's cloud kernels for arm64 with apt, from the sources of this machine, and returns its file in the
// cache. It does not need root, and uses package lists of its own. It calls say with each step.
func Fetch(ctx context.Context, say func(step string)) (string, error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	for _, tool := range []string{"apt-get", "apt-cache", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", &Missing{"no kernel was fetched: " + tool + " is not in PATH", byHand(cache)}
		}
	}
	dir, err := os.MkdirTemp("", "strobe-setup-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	a := apt{dir: dir}
	if err := a.prepare(); err != nil {
		return "", err
	}
	say("fetching package lists for arm64")
	_, stale := a.run(ctx, "apt-get", "update") // a source that fails may not be the one that is needed
	list, err := a.run(ctx, "apt-cache", "search", "--names-only", "^linux-image-.*-cloud-arm64$")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	name := pick(list)
	if name == "" {
		what := "the apt sources of this machine have no Debian cloud kernel for arm64"
		if err := errors.Join(stale, err); err != nil {
			what = "no kernel was fetched: " + strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		return "", &Missing{what, byHand(cache)}
	}
	say("fetching " + name)
	if _, err := a.run(ctx, "apt-get", "download", name); err != nil {
		return "", a.failed(ctx, name, cache, err)
	}
	debs, _ := filepath.Glob(filepath.Join(dir, "*.deb")) // the pattern is valid
	if len(debs) != 1 {
		return "", a.failed(ctx, name, cache, errors.New("apt-get downloaded no package"))
	}
	say("unpacking " + name)
	if _, err := a.run(ctx, "dpkg-deb", "-x", debs[0], filepath.Join(dir, "unpacked")); err != nil {
		return "", a.failed(ctx, name, cache, err)
	}
	kernels, _ := filepath.Glob(filepath.Join(dir, "unpacked", "boot", "vmlinuz-*"))
	if len(kernels) != 1 {
		return "", a.failed(ctx, name, cache, errors.New("it has no boot/vmlinuz-*"))
	}
	return Keep(kernels[0])
}

// An apt runs the tools of Debian in a folder, with its own lists and cache.
type apt struct {
	dir     string
	options []string
}

func (a *apt) prepare() error {
	a.options = []string{"-qq", "-oAPT::Architecture=arm64", "-oAPT::Architectures=arm64", "-oDir::State::Lists=" + filepath.Join(a.dir, "lists"),
		"-oDir::Cache=" + a.dir, "-oDir::Cache::archives=" + filepath.Join(a.dir, "archives")}
	if os.Getuid() == 0 { // the user that apt switches to cannot write here
		a.options = append(a.options, "-oAPT::Sandbox::User=root")
	}
	return errors.Join(os.MkdirAll(filepath.Join(a.dir, "lists", "partial"), 0o777), os.MkdirAll(filepath.Join(a.dir, "archives", "partial"), 0o777))
}

// run runs a tool and returns its output. The error has the last line of its error output.
func (a *apt) run(ctx context.Context, tool string, args ...string) (string, error) {
	if tool != "dpkg-deb" {
		args = append(slices.Clone(a.options), args...)
	}
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if text := strings.TrimSpace(complaints.String()); err != nil && text != "" {
		err = fmt.Errorf("%s: %s", tool, text[strings.LastIndexByte(text, '\n')+1:])
	}
	return string(out), err
}

func (a *apt) failed(ctx context.Context, name, cache string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Missing{fmt.Sprintf("%s was not fetched: %v", name, err), "try again, or " + byHand(cache)}
}

// pick returns the package to fetch among the lines of apt-cache search: the newest version of the oldest series, which boots
// fastest. It returns "" if there is none.
func pick(list string) string {
	best, numbers := "", []int(nil)
	for line := range strings.Lines(list) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		version, ok := strings.CutPrefix(name, "linux-image-")
		if !ok || !strings.HasSuffix(version, "-cloud-arm64") {
			continue
		}
		var n []int
		for _, digits := range strings.FieldsFunc(strings.TrimSuffix(version, "-cloud-arm64"), func(r rune) bool { return r < '0' || r > '9' }) {
			if v, err := strconv.Atoi(digits); err == nil {
				n = append(n, v)
			}
		}
		if len(n) < 2 { // linux-image-cloud-arm64 itself, which has no kernel
			continue
		}
		series := 1
		if best != "" {
			series = slices.Compare(n[:2], numbers[:2])
		}
		if best == "" || series < 0 || series == 0 && slices.Compare(n, numbers) > 0 {
			best, numbers = name, n
		}
	}
	return best
}

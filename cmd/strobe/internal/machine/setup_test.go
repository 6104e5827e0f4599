// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// image begins like an arm64 kernel.
var image = strings.Repeat("\x00", 56) + "ARM\x64" + strings.Repeat("\x00", 100)

// tools installs scripts in the place of Debian's tools. They record their arguments.
func tools(t *testing.T, scripts map[string]string) (cache string) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("starts shell scripts")
	}
	dir := t.TempDir()
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	if len(scripts) == 0 {
		t.Setenv("PATH", dir)
	}
	t.Setenv("STROBE_CACHE", t.TempDir())
	t.Setenv("STROBE_KERNEL", "")
	cache, err := Cache()
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

func TestSetupFetchesAKernelAndKeepsIt(t *testing.T) {
	kernel := filepath.Join(t.TempDir(), "kernel")
	if err := os.WriteFile(kernel, []byte(image), 0o666); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{
		"apt-get":   "case \"$*\" in *update*) exit 0 ;; *\"download linux-image-6.1.0-9-cloud-arm64\") : >linux-image.deb ;; *) echo \"E: $*\" >&2; exit 100 ;; esac\n",
		"apt-cache": "echo 'linux-image-6.1.0-9-cloud-arm64 - Linux'\n",
		"dpkg-deb":  "mkdir -p \"$3/boot\" && cp " + kernel + " \"$3/boot/vmlinuz-6.1.0-9-cloud-arm64\"\n",
	}
	cache := tools(t, scripts)
	var steps []string
	file, err := Fetch(t.Context(), func(step string) { steps = append(steps, step) })
	if err != nil || file != filepath.Join(cache, "vmlinuz-6.1.0-9-cloud-arm64") || len(steps) != 3 {
		t.Fatalf("%q, %v, %q", file, err, steps)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != image {
		t.Errorf("%q, %v", text, err)
	}
	if found, err := FindKernel(""); err != nil || found != file {
		t.Errorf("%q, %v", found, err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, ".*")); len(left) > 0 {
		t.Errorf("%q", left)
	}
}

func TestSetupSaysWhatKeepsItFromFetching(t *testing.T) {
	const works = "exit 0\n"
	for want, scripts := range map[string]map[string]string{
		"apt-get is not in PATH":                           {},
		"have no Debian cloud kernel for arm64":            {"apt-get": works, "apt-cache": "echo linux-image-cloud-arm64 - the newest\n", "dpkg-deb": works},
		"no kernel was fetched: apt-get: E: no network":    {"apt-get": "echo 'W: a' >&2; echo 'E: no network' >&2; exit 100\n", "apt-cache": works, "dpkg-deb": works},
		"-6.1.0-9-cloud-arm64 was not fetched: apt-get: E": {"apt-get": "case \"$*\" in *download*) echo E: gone >&2; exit 100 ;; esac\n", "apt-cache": "echo linux-image-6.1.0-9-cloud-arm64\n", "dpkg-deb": works},
		"downloaded no package":                            {"apt-get": works, "apt-cache": "echo linux-image-6.1.0-9-cloud-arm64\n", "dpkg-deb": works},
		"has no boot/vmlinuz":                              {"apt-get": ": >a.deb\n", "apt-cache": "echo linux-image-6.1.0-9-cloud-arm64\n", "dpkg-deb": works},
		"is not an arm64 kernel Image":                     {"apt-get": ": >a.deb\n", "apt-cache": "echo linux-image-6.1.0-9-cloud-arm64\n", "dpkg-deb": "mkdir -p \"$3/boot\" && echo ELF >\"$3/boot/vmlinuz-6\"\n"},
	} {
		cache := tools(t, scripts)
		_, err := Fetch(t.Context(), func(string) {})
		var missing *Missing
		if !errors.As(err, &missing) || !strings.Contains(missing.What, want) || missing.Remedy == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", want, err)
		}
		if kept, _ := filepath.Glob(filepath.Join(cache, "*")); len(kept) > 0 {
			t.Errorf("%q: kept %q", want, kept)
		}
	}
}

func TestAKernelThatIsGivenIsKept(t *testing.T) {
	t.Setenv("STROBE_CACHE", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"Image": image, "Image.gz": "\x1f\x8b" + image} {
		kernel := filepath.Join(dir, name)
		if err := os.WriteFile(kernel, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := Keep(kernel)
		if kept, _ := os.ReadFile(file); err != nil || filepath.Base(file) != "vmlinuz-"+name || string(kept) != text {
			t.Errorf("%q, %v", file, err)
		}
		if again, err := Keep(file); err != nil || again != file { // the kernel is there already
			t.Errorf("%q, %v", again, err)
		}
	}
	elf := filepath.Join(dir, "vmlinux")
	if err := os.WriteFile(elf, []byte("\x7fELF"+strings.Repeat("\x00", 200)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", dir, elf} {
		if _, err := Keep(name); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
}

func TestTheKernelThatBootsFastestIsPicked(t *testing.T) {
	for list, want := range map[string]string{
		"": "",
		"linux-image-6.12.9-cloud-arm64\nlinux-image-6.1.0-9-cloud-arm64\nlinux-image-7.1.0-1-cloud-arm64\n":                      "linux-image-6.1.0-9-cloud-arm64",
		"linux-image-cloud-arm64 - x\nlinux-image-6.1.0-9-cloud-arm64-dbg - x\n":                                                  "",
		"linux-image-6.1.0-9-cloud-arm64 - x\nlinux-image-6.12.117+deb12-cloud-arm64 - x\nlinux-image-6.1.0-56-cloud-arm64 - x\n": "linux-image-6.1.0-56-cloud-arm64",
		"linux-image-6.12.9+deb13-cloud-arm64\nlinux-image-6.12.30+deb13-cloud-arm64\n":                                           "linux-image-6.12.30+deb13-cloud-arm64",
	} {
		if got := pick(list); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Platforms for which a release has the command, built.
var platforms = []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/amd64", "darwin/arm64", "freebsd/amd64"}

// binaries builds the released command for platforms and packs each with the licence into an archive in folder, beside SHA256SUMS.
// The command is built from the module that users get, not from the checkout, so that whoever installs the same version with the
// same Go has the same file, to the byte. The archives are reproducible, too. The environment is that of the go command.
func binaries(root, version, folder string, platforms, env []string, out io.Writer) error {
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var sums strings.Builder
	for _, p := range platforms {
		system, processor, _ := strings.Cut(p, "/")
		command, err := build(version, system, processor, env)
		if err != nil {
			return err
		}
		files := []packed{{"strobe", 0o755, command}, {"LICENSE", 0o644, licence}}
		name, pack := fmt.Sprintf("strobe_%s_%s_%s.tar.gz", version, system, processor), tarball
		if system == "windows" {
			name, pack, files[0].name = strings.TrimSuffix(name, ".tar.gz")+".zip", zipped, "strobe.exe"
		}
		archive, err := pack(files)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), archive, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name)
		fmt.Fprintf(out, "packed %s\n", name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// build returns the command for a platform, as go install makes it.
func build(version, system, processor string, env []string) ([]byte, error) {
	gopath, err := os.MkdirTemp("", "strobe-binary")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(gopath)
	get := exec.Command("go", "env", "GOMODCACHE", "GOHOSTOS", "GOHOSTARCH")
	get.Env = env
	text, err := get.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	values := strings.Fields(string(text))
	if len(values) != 3 {
		return nil, fmt.Errorf("go env: %q", text)
	}
	install := exec.Command("go", "install", library+"/cmd/strobe@"+version)
	install.Env = append(env[:len(env):len(env)], "GOPATH="+gopath, "GOMODCACHE="+values[0], "GOBIN=", "GOWORK=off", "GOFLAGS=-trimpath",
		"CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	if text, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go install for %s/%s: %w\n%s", system, processor, err, text)
	}
	name := filepath.Join(gopath, "bin")
	if system != values[1] || processor != values[2] {
		name = filepath.Join(name, system+"_"+processor)
	}
	name = filepath.Join(name, "strobe")
	if system == "windows" {
		name += ".exe"
	}
	return os.ReadFile(name)
}

// A packed is a file in an archive. Nothing in archives depends on when and by whom they were made.
type packed struct {
	name string
	mode int64
	text []byte
}

func tarball(files []packed) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// zipped is tarball for a system whose users unpack zip files.
func zipped(files []packed) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// publishable writes what a published release has beside its tags: archives for all platforms, and the section of CHANGELOG.md.
func publishable(root, version, folder string, out io.Writer) error {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	notes, err := section(string(text), version, time.Now().UTC())
	if err != nil {
		return fmt.Errorf("CHANGELOG.md: %w", err)
	}
	if err := binaries(root, version, folder, platforms, os.Environ(), out); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "NOTES.md"), []byte(notes+"\n"), 0o666)
}

// binary packs the command for this machine twice, each time with nothing in the module cache, and compares the archives.
func (e *elsewhere) binary(root string) error {
	host := runtime.GOOS + "/" + runtime.GOARCH
	var sums [2][]byte
	for i := range sums {
		folder := filepath.Join(e.folder, fmt.Sprint("packed", i))
		env := append(e.env[:len(e.env):len(e.env)], "GOMODCACHE="+filepath.Join(e.folder, fmt.Sprint("mod", i)))
		if err := binaries(root, e.version, folder, []string{host}, env, io.Discard); err != nil {
			return err
		}
		var err error
		if sums[i], err = os.ReadFile(filepath.Join(folder, "SHA256SUMS")); err != nil {
			return err
		}
	}
	if len(sums[0]) == 0 || !bytes.Equal(sums[0], sums[1]) {
		return fmt.Errorf("packed twice, the archives differ:\n%s%s", sums[0], sums[1])
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/exact"
)

type exactCmd struct {
	Kernel  string   `placeholder:"FILE" help:"arm64 kernel image; by default one from the cache, see above."`
	CPU     string   `placeholder:"NAME" help:"QEMU's processor (neoverse-n1)."`
	CPUs    int      `name:"cpus" default:"1" help:"Processors; with more than 1 counts are not exact."`
	Memory  int      `default:"512" help:"MiB of memory."`
	Sysctl  []string `placeholder:"A=B" sep:"none" help:"Kernel parameter to set; may be given again."`
	Env     []string `placeholder:"NAME" sep:"none" help:"Variable to hand over, as NAME or NAME=VALUE; may be given again."`
	Clock   string   `placeholder:"ICOUNT" help:"QEMU's -icount, or none; by default an instruction a ns."`
	Timeout span     `default:"10m" help:"Of the host, for one program."`
	User    bool     `hidden:"" help:"The program counts its own instructions."`
	Args    []string `arg:"" name:"program" passthrough:"partial" help:"test and arguments of go test, or a static linux/arm64 program."`
}

// Help is the longer part of strobe exact --help.
func (exactCmd) Help() string {
	return `
Runs Go tests and benchmarks in an emulated arm64 machine that counts instructions, on an
idle laptop and a busy CI runner alike.

  strobe exact test ./... -bench .
      prints instructions/op: of all threads of the test in user mode, Go's runtime
      included. For that, package testing is built to measure them instead of time.
  GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go test -exec "strobe exact" ./...
      prints machine-instructions/op: those of the kernel are in them.

A test sees its package's folder with testdata, and of the environment GO* and --env.
Profiles and coverage are not carried back. Times say nothing of real hardware.

Wants qemu-system-aarch64 and an arm64 kernel with its drivers built in, and fetches
neither: --kernel, STROBE_KERNEL, or vmlinuz-* in the folder arm64 of the cache
(STROBE_CACHE, else strobe in the user's cache folder).`
}

// Run is called by the parser.
func (c exactCmd) Run(s *session) error {
	if s.json {
		return errors.New("--json is not for this verb: go test has its own -json")
	}
	if len(c.Args) > 0 && c.Args[0] == "--" {
		c.Args = c.Args[1:]
	}
	if len(c.Args) == 0 {
		return errors.New("nothing to run; give test and what go test takes, or a program (see strobe exact --help)")
	}
	if c.Args[0] == "test" {
		return c.goTest(s)
	}
	return c.program(s)
}

// flags are those of c that the programs of go test shall run with.
func (c exactCmd) flags() []string {
	flags := []string{"--cpus=" + strconv.Itoa(c.CPUs), "--memory=" + strconv.Itoa(c.Memory), "--timeout=" + time.Duration(c.Timeout).String()}
	for _, f := range [][2]string{{"--kernel=", c.Kernel}, {"--cpu=", c.CPU}, {"--clock=", c.Clock}} {
		if f[1] != "" {
			flags = append(flags, f[0]+f[1])
		}
	}
	if c.User {
		flags = append(flags, "--user")
	}
	for _, v := range c.Sysctl {
		flags = append(flags, "--sysctl="+v)
	}
	for _, v := range c.Env {
		flags = append(flags, "--env="+v)
	}
	return flags
}

// goTest runs go test with this command for the programs, one after the other: they are not to disturb each other.
func (c exactCmd) goTest(s *session) error {
	if err := (exact.Machine{Kernel: c.Kernel}).Ready(); err != nil { // once, not for every package
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if c.Kernel != "" { // go test runs programs elsewhere
		if c.Kernel, err = filepath.Abs(c.Kernel); err != nil {
			return err
		}
	}
	args := []string{"test", "-p=1"}
	if c.CPUs <= 1 && c.Clock == "" {
		dir, err := os.MkdirTemp("", "strobe-overlay-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if overlay, err := userMode(s, dir); err != nil {
			s.warn("instructions of the whole machine only: %v", err)
		} else {
			c.User = true
			args = append(args, "-overlay="+overlay)
		}
	}
	words := append(append([]string{self, "exact"}, c.flags()...), "--")
	for i, w := range words {
		words[i] = quote(w)
	}
	args = append(args, "-exec="+strings.Join(words, " "))
	if !slices.ContainsFunc(c.Args, func(a string) bool {
		return strings.HasPrefix(strings.TrimLeft(a, "-"), "benchtime") || strings.HasPrefix(strings.TrimLeft(a, "-"), "test.benchtime")
	}) {
		args = append(args, "-benchtime=100ms") // of the emulated machine: 100 million instructions
	}
	cmd := exec.CommandContext(s.ctx, "go", append(args, c.Args[1:]...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = s.out, s.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if code := (*exec.ExitError)(nil); errors.As(err, &code) {
		return failure{exitCommand, fmt.Errorf("go test: %v", err)}
	}
	return err
}

// userMode returns the overlay that makes the tests count their own instructions.
func userMode(s *session, dir string) (string, error) {
	goroot, err := exec.CommandContext(s.ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return exact.Overlay(strings.TrimSpace(string(goroot)), dir)
}

// quote makes one word of -exec, which go splits at blanks that are not in quotes.
func quote(w string) string {
	if strings.ContainsAny(w, " \t\"'") {
		if strings.Contains(w, "'") {
			return `"` + w + `"`
		}
		return "'" + w + "'"
	}
	return w
}

// program runs one program.
func (c exactCmd) program(s *session) error {
	m := exact.Machine{Kernel: c.Kernel, CPU: c.CPU, CPUs: c.CPUs, Memory: c.Memory, Sysctl: c.Sysctl, Clock: c.Clock, Timeout: time.Duration(c.Timeout)}
	dir := ""
	if strings.HasSuffix(c.Args[0], ".test") { // run by go test in the package's folder
		var err error
		if dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	args, dropped := carried(c.Args[1:])
	if len(dropped) > 0 {
		s.warn("not carried back from the emulated machine, so left out: %s", strings.Join(dropped, " "))
	}
	lines := exact.Lines{}
	switch {
	case c.User:
		lines.Unit = "instructions/op"
	case c.CPUs <= 1 && c.Clock == "":
		lines.Unit = "machine-instructions/op"
	}
	code, err := m.Run(s.ctx, exact.Program{Path: c.Args[0], Args: args, Dir: dir, Env: c.environment()}, func(line string) {
		for _, l := range lines.Rewrite(line) {
			fmt.Fprintln(s.out, l)
		}
	})
	switch {
	case err != nil && s.ctx.Err() == nil:
		return err
	case code != 0:
		return failure{code, fmt.Errorf("%s ended with exit code %d", filepath.Base(c.Args[0]), code)}
	}
	return err
}

// carried splits the arguments of a test program: those for files of the host mean nothing in the machine.
func carried(args []string) (keep, dropped []string) {
	for _, a := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch name {
		case "test.testlogfile", "test.gocoverdir", "test.paniconexit0": // of go test itself; the last would hide an exit code
		case "test.coverprofile", "test.cpuprofile", "test.memprofile", "test.blockprofile", "test.mutexprofile", "test.trace", "test.outputdir":
			dropped = append(dropped, a)
		default:
			keep = append(keep, a)
		}
	}
	return keep, dropped
}

// environment is what the program gets to see: what steers the Go runtime, and what was asked for.
func (c exactCmd) environment() []string {
	env := []string{"STROBE_EXACT=1"}
	for _, name := range []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for _, e := range c.Env {
		if name, _, set := strings.Cut(e, "="); !set {
			e = name + "=" + os.Getenv(name)
		}
		env = append(env, e)
	}
	return env
}

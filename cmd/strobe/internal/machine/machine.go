// SPDX-License-Identifier: BSD-3-Clause

// Package machine runs a program in an emulated arm64 machine in which every instruction takes the same time and is counted.
package machine

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Machine describes the machine to boot. The zero value counts exactly, with a kernel that FindKernel finds.
type Machine struct {
	Kernel  string        // arm64 Image; "" means the one that FindKernel finds
	CPU     string        // QEMU's name; "" means neoverse-n1
	CPUs    int           // 0 means 1. With more the counts are no longer exact
	Memory  int           // MiB, at least 64; 0 means 512
	Sysctl  []string      // kernel parameters to set, name=value
	Clock   string        // QEMU's -icount: "" means shift=0, an instruction a nanosecond; "none" leaves it out
	Timeout time.Duration // of the host; 0 means 10 minutes
}

// Ready reports what is missing to boot the machine, nil if nothing is.
func (m Machine) Ready() error {
	if m.Kernel == "" {
		if _, err := FindKernel(""); err != nil {
			return err
		}
	} else if _, err := os.Stat(m.Kernel); err != nil {
		return &Missing{fmt.Sprintf("the kernel %s cannot be read", m.Kernel), "name an arm64 Image with --kernel"}
	}
	_, err := findQEMU()
	return err
}

// A Program is a program to run in the machine.
type Program struct {
	Path string // static arm64 binary
	Args []string
	Dir  string   // the folder to run in, carried over with its module; "" for none
	Env  []string // name=value
}

// An Ended error says that the machine stopped before the program's exit code was known.
type Ended struct {
	Why     string
	Console []string // its last lines
}

// Error returns why and the last lines of the console, in one line.
func (e *Ended) Error() string {
	text := "the emulated machine " + e.Why
	if len(e.Console) > 0 {
		text += "; its last output: " + strings.Join(e.Console, " | ")
	}
	return text
}

// Run boots the machine, runs the program and calls each with every line that it prints, without the line end. It returns the
// program's exit code, 128 or more for a signal. The error says why there is no exit code, or why the machine cannot run.
func (m Machine) Run(ctx context.Context, p Program, each func(line string)) (code int, err error) {
	if m.Kernel == "" {
		if m.Kernel, err = FindKernel(""); err != nil {
			return 0, err
		}
	}
	qemu, err := findQEMU()
	if err != nil {
		return 0, err
	}
	first, err := guest(ctx)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "strobe-exact-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	mark, err := markOf(p)
	if err != nil {
		return 0, err
	}
	initrd := filepath.Join(dir, "initrd.gz")
	if err := m.pack(initrd, first, mark, p); err != nil {
		return 0, err
	}
	limit := m.Timeout
	if limit == 0 {
		limit = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return boot(ctx, limit, exec.CommandContext(ctx, qemu, m.arguments(initrd)...), mark, each)
}

// markOf returns the mark that begins the guest's own lines. A program does not print it by chance. It is always the same for a
// program, since a machine that differs in a byte counts different instructions.
func markOf(p Program) (string, error) {
	f, err := os.Open(p.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	fmt.Fprintf(h, "%q", p.Args)
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("##strobe-%.13x", h.Sum(nil)), nil
}

// arguments returns the arguments of QEMU. The machine gets no time and no random numbers from the host.
func (m Machine) arguments(initrd string) []string {
	or := func(s, def string) string {
		if s == "" {
			return def
		}
		return s
	}
	args := []string{"-M", "virt,dtb-randomness=off", "-cpu", or(m.CPU, "neoverse-n1"), "-smp", strconv.Itoa(max(1, m.CPUs)),
		"-m", strconv.Itoa(m.memory()), "-display", "none", "-no-reboot", "-nodefaults", "-nic", "none",
		"-serial", "stdio", "-monitor", "none", "-rtc", "base=2026-01-01,clock=vm",
		"-kernel", m.Kernel, "-initrd", initrd, "-append", "console=ttyAMA0 panic=-1 quiet nokaslr norandmaps"}
	if clock := or(m.Clock, "shift=0,sleep=off"); clock != "none" {
		args = append(args, "-icount", clock)
	}
	return args
}

// memory returns the memory of the machine in MiB.
func (m Machine) memory() int {
	if m.Memory == 0 {
		return 512
	}
	return max(64, m.Memory)
}

// pack writes the machine's first file system.
func (m Machine) pack(file, first, mark string, p Program) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<16)
	a := newArchive(w)
	a.device("dev/console", 5, 1)
	a.device("dev/null", 1, 3)
	if err := a.file("init", modeProg, first); err != nil {
		return err
	}
	program := "bin/" + filepath.Base(p.Path)
	if err := a.file(program, modeProg, p.Path); err != nil {
		return err
	}
	at := "/tmp"
	if p.Dir != "" {
		if at, err = carry(a, p.Dir); err != nil {
			return err
		}
	}
	order, err := json.Marshal(map[string]any{
		"Mark": mark, "Args": append([]string{"/" + program}, p.Args...), "Dir": at, "Env": p.Env, "Sysctl": m.Sysctl,
	})
	if err != nil {
		return err
	}
	a.bytes("order", modeFile, order)
	if err := a.close(); err != nil {
		return err
	}
	return w.Flush()
}

// lastWords is the number of console lines in an Ended error.
const lastWords = 5

// boot runs the machine to its end.
func boot(ctx context.Context, limit time.Duration, cmd *exec.Cmd, mark string, each func(string)) (code int, err error) {
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("cannot start %s: %w", cmd.Path, err)
	}
	v := &verdict{mark: mark, each: each}
	read := v.read(out)
	cmd.Wait() // its output shows whether it was killed
	switch {
	case v.said:
		return v.code, v.note()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return 0, &Ended{fmt.Sprintf("was stopped after %v", limit), v.console}
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case complaints.Len() > 0:
		return 0, fmt.Errorf("%s: %s", filepath.Base(cmd.Path), strings.TrimSpace(complaints.String()))
	case read != nil:
		return 0, read
	}
	return 0, &Ended{"stopped without reporting how the program ended", v.console}
}

// A verdict collects what the machine prints.
type verdict struct {
	mark    string
	each    func(string)
	running bool
	held    bool // an empty line that may be the one before the mark
	said    bool
	code    int
	text    string
	console []string
}

func (v *verdict) read(r io.Reader) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			v.take(strings.TrimRight(line, "\r\n"))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// take reads one line. The program's last line may lack a line end, so the guest sends an empty line first.
func (v *verdict) take(line string) {
	rest, marked := strings.CutPrefix(line, v.mark+" ")
	switch {
	case marked && rest == "run":
		v.running = true
		return
	case marked:
		v.said, v.held = true, false
		number, text, _ := strings.Cut(strings.TrimPrefix(rest, "exit "), " ")
		v.code, _ = strconv.Atoi(number)
		v.text = text
		v.running = false
		return
	}
	if len(v.console) == lastWords {
		v.console = v.console[1:]
	}
	v.console = append(v.console, line)
	if !v.running {
		return
	}
	if v.held {
		v.each("")
	}
	if v.held = line == ""; !v.held {
		v.each(line)
	}
}

func (v *verdict) note() error {
	if v.text == "" || v.code < 125 {
		return nil
	}
	return errors.New(v.text)
}

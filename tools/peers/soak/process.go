// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A process runs the program.
type process struct {
	cmd *exec.Cmd
	in  io.Closer
	url string
}

// start starts the program in a process made by command.
func start(o Options, command func() *exec.Cmd) (*process, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: command()}
	p.cmd.Env = append(os.Environ(), Variable+"="+string(text))
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the program does not say where it listens: %w", errors.Join(err, p.end()))
	}
	p.url = "http://" + strings.TrimSpace(address)
	return p, nil
}

// end ends the process.
func (p *process) end() error {
	p.in.Close()
	return p.cmd.Wait()
}

// resident returns the memory of the process that is in use, in bytes.
func (p *process) resident() (float64, error) {
	text, err := os.ReadFile(p.file("status"))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			kb, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB"), 64)
			return kb * 1024, err
		}
	}
	return 0, errors.New(p.file("status") + " has no VmRSS")
}

// descriptors returns how many files the process has open.
func (p *process) descriptors() (float64, error) {
	all, err := os.ReadDir(p.file("fd"))
	return float64(len(all)), err
}

func (p *process) file(name string) string {
	return "/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/" + name
}

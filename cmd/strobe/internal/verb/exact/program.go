// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/machine"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// program runs one program.
func (c Flags) program(s *session.Session, out io.Writer) error {
	file, _, _, err := s.Open(c.Args[0])
	if err != nil {
		return err
	}
	file.Close()
	m := machine.Machine{Kernel: c.Kernel, CPU: c.CPU, CPUs: c.CPUs, Memory: c.Memory, Sysctl: c.Sysctl, Clock: c.Clock, Timeout: time.Duration(c.Timeout)}
	dir := ""
	if strings.HasSuffix(c.Args[0], ".test") { // run by go test in the package's folder
		if dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	args, dropped := carried(c.Args[1:])
	if len(dropped) > 0 {
		s.Warn("not copied back from the emulated machine, so ignored: %s", strings.Join(dropped, " "))
	}
	lines := machine.Lines{}
	switch {
	case c.User:
		lines.Unit, lines.Exact = machine.Instructions, true
	case c.CPUs <= 1 && c.Clock == "":
		lines.Unit = "machine-instructions/op"
	}
	broken := ""
	code, err := m.Run(s.Ctx, machine.Program{Path: c.Args[0], Args: args, Dir: dir, Env: m.Environment(c.User, c.Env...)}, func(line string) {
		for _, l := range lines.Rewrite(line) {
			fmt.Fprintln(out, l)
		}
		if name, ok := benchtext.Broken(line); ok && broken == "" {
			broken = name
		}
	})
	switch {
	case err != nil && s.Ctx.Err() == nil:
		return err
	case code != 0:
		return session.Failure{Code: code, Err: fmt.Errorf("%s ended with exit code %d", filepath.Base(c.Args[0]), code)}
	case err == nil && broken != "" && !c.User: // with --user, goTest started this process and checks the results
		return session.Failure{Code: session.CommandFailed, Err: brokenError(broken)}
	}
	return err
}

// brokenError describes a benchmark without a value whose program succeeded.
func brokenError(name string) error {
	return fmt.Errorf("%s reports no figure: it panicked and the program ended before that could be seen (run it again), or it removes ns/op", "Benchmark"+name)
}

// carried splits the arguments of a test program into those to keep and those that name files of the host.
func carried(args []string) (keep, dropped []string) {
	for _, a := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch name {
		case "test.testlogfile", "test.gocoverdir", "test.paniconexit0": // go test adds these; the last would hide an exit code
		case "test.coverprofile", "test.cpuprofile", "test.memprofile", "test.blockprofile", "test.mutexprofile", "test.trace", "test.outputdir":
			dropped = append(dropped, a)
		default:
			keep = append(keep, a)
		}
	}
	return keep, dropped
}

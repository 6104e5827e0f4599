// SPDX-License-Identifier: BSD-3-Clause

// Package exact is the verb that counts the instructions of Go tests in an emulated machine.
package exact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/machine"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe exact --help.
func (Command) Help() string {
	return `
The counts are the same on an idle laptop and on a busy CI runner.

  strobe exact test ./... -bench .
      prints instructions/op: those of all the test's threads in user mode, and
      of Go's runtime. Package testing is rebuilt to count instead of timing.
  GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go test -exec "strobe exact" ./...
      prints machine-instructions/op, which include those of the kernel.

With --json it prints one JSON object with the benchmarks and all other lines of output.

The exit code of strobe exact test is 4 if a test fails or no benchmark runs. That of
strobe exact PROGRAM is the program's own. Both are 2 if QEMU or the kernel is missing.

User-mode counts are the same in every run of a program, to the last digit. To ensure this,
the garbage collector is off unless GOGC is set, heap profiling is off, and the random
numbers of the runtime have a fixed seed; otherwise their cost would fall on different
operations in every build. One run of each benchmark is enough for strobe compare
--gate; runs within one process (-count) differ, because each finds another heap. Without -benchtime
a benchmark makes as many calls as 100 million instructions allow, rounded to 1, 2 or 5
times a power of ten, so that similar builds make the same number of calls. A fixed
number, such as -benchtime 1000x, makes that certain.

A test can read the files of its module or, if that is large, of its package and of all
folders called testdata.
Of the environment it gets only the variables of the Go runtime and those of --env.
Profiles and coverage are not copied back. Times in the machine say nothing about real
hardware.

It needs qemu-system-aarch64 and an arm64 kernel with built-in drivers. On Debian, these
commands install them:

  apt-get install --no-install-recommends qemu-system-arm
  strobe exact --setup

The second one fetches the kernel with apt, without root. The kernel is taken
from --kernel, STROBE_KERNEL, or vmlinuz-* in the folder arm64 of the cache
(STROBE_CACHE, else strobe in the user's cache folder). --setup --kernel FILE keeps a
copy there.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if len(c.Args) > 0 && c.Args[0] == "--" {
		c.Args = c.Args[1:]
	}
	if c.Setup {
		if len(c.Args) > 0 {
			return fmt.Errorf("--setup runs nothing; run strobe exact %s after it", strings.Join(c.Args, " "))
		}
		return c.setup(s)
	}
	if len(c.Args) == 0 {
		return errors.New("nothing to run; give test and the arguments of go test, or a program (see strobe exact --help)")
	}
	if !s.JSON {
		return c.run(s, s.Out)
	}
	var printed bytes.Buffer
	err := c.run(s, &printed)
	if err != nil && printed.Len() == 0 && session.CodeOf(err) == session.Usage {
		return err // nothing ran
	}
	o, broken := objectOf(printed.Bytes(), err, s.Interrupted())
	return errors.Join(err, broken, session.WriteJSON(s.Out, o))
}

func (c *Command) run(s *session.Session, out io.Writer) error {
	if c.Args[0] == "test" {
		return c.goTest(s, out)
	}
	return c.program(s, out)
}

// setup puts a kernel into the cache.
func (c *Command) setup(s *session.Session) error {
	p := s.Progress()
	kernel, err := "", error(nil)
	if c.Kernel != "" {
		kernel, err = machine.Keep(c.Kernel)
	} else if kernel, err = machine.FindKernel(""); err != nil {
		kernel, err = machine.Fetch(s.Ctx, func(step string) { p.Show("%s", step) })
	}
	p.Clear()
	if err != nil {
		return err
	}
	if s.JSON {
		err = session.WriteJSON(s.Out, exactObject{Schema: session.Schema, Kernel: kernel, Benchmarks: []exactBenchmark{}})
	} else {
		_, err = fmt.Fprintf(s.Out, "kernel  %s\n", kernel)
	}
	if err != nil {
		return err
	}
	return machine.Machine{Kernel: kernel}.Ready() // whether QEMU is here
}

// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"fmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/exact/machine"
)

// setup gets what the machine needs and keeps it in the cache.
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

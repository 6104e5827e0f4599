// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"strconv"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
)

// Flags are the flags of the verb.
type Flags struct {
	Setup   bool           `help:"Fetch a kernel by apt, or take that of --kernel, and keep it in the cache. Runs nothing."`
	Kernel  string         `placeholder:"FILE" help:"arm64 kernel image. Default: one from the cache."`
	CPU     string         `placeholder:"NAME" help:"Processor that QEMU emulates. Default: neoverse-n1."`
	CPUs    int            `name:"cpus" default:"1" help:"Number of processors; counts are exact with 1 only."`
	Memory  int            `default:"512" help:"Memory in MiB."`
	Sysctl  []string       `placeholder:"A=B" sep:"none" help:"Kernel parameter to set; may be repeated."`
	Env     []string       `placeholder:"NAME" sep:"none" help:"Environment variable to pass on, as NAME or NAME=VALUE; may be repeated."`
	Clock   string         `placeholder:"ICOUNT" help:"QEMU's -icount, or none. Default: one instruction per ns."`
	Timeout flags.Duration `default:"10m" help:"Time limit for one program, on the host's clock."`
	User    bool           `hidden:"" help:"The program counts its own instructions."`
	Args    []string       `arg:"" optional:"" name:"PROGRAM" passthrough:"partial" help:"test and the arguments of go test, or a static linux/arm64 program."`
}

// forTests returns the flags with which go test must run its programs.
func (c Flags) forTests() []string {
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

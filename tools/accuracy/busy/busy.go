// SPDX-License-Identifier: BSD-3-Clause

// Package busy keeps processors busy with processes that compute, so that something is measured on a machine that others use.
package busy

import (
	"io"
	"os"
	"os/exec"
	"runtime"
)

// argument makes a program one that keeps a processor busy.
const argument = "keep-a-processor-busy"

// Main computes until standard input ends, as it does when the program ends that started this one, if this is such a process. It is
// to be called first.
func Main() {
	if len(os.Args) != 2 || os.Args[1] != argument {
		return
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for x := uint64(0); ; x = x*6364136223846793005 + 1442695040888963407 {
		runtime.KeepAlive(x)
	}
}

// Start starts n such processes of this program, and returns what ends them.
func Start(n int) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	for range n {
		cmd := exec.Command(self, argument)
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, func() {
			in.Close()
			cmd.Wait()
		})
	}
	return stop, nil
}

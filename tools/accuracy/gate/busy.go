// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"os"
	"os/exec"
	"runtime"
)

// busyArg makes this program one that keeps a processor busy.
const busyArg = "keep-a-processor-busy"

// busy computes until standard input ends, as it does when the program ends that started this one.
func busy() {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		runtime.KeepAlive(work(1000))
	}
}

// startBusy starts n such processes, and returns what ends them.
func startBusy(n int) (stop func(), err error) {
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
		cmd := exec.Command(self, busyArg)
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

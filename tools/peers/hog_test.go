// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

const hogEnv = "STROBE_PEERS_HOG"

// hog keeps a processor busy until its parent ends or closes its input.
func hog() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		counter()
	}
}

// startHogs starts n busy processes and returns a function that ends them.
func startHogs(b *testing.B, n int) (end func()) {
	var ends []func()
	for range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), hogEnv+"=1")
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			b.Fatal("a busy process: ", err)
		}
		ends = append(ends, func() {
			_ = in.Close()
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	time.Sleep(50 * time.Millisecond) // until they are busy
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

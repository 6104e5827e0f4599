// SPDX-License-Identifier: BSD-3-Clause

// Stutter is a program that the live page watches: a loop at about 100 Hz. In one of its frames path-finding takes long.
//
//	stutter ADDR FRAME
//
// It listens at ADDR, prints the address of its page, and is slow in frame FRAME.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
)

var (
	update = strobe.NewZone("update")
	ai     = strobe.NewZone("ai")
	path   = strobe.NewZone("path")
	render = strobe.NewZone("render")
	wait   = strobe.NewWaitZone("wait")
)

func main() {
	slow, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	server, err := live.Serve(os.Args[1])
	if err != nil {
		fail(err)
	}
	fmt.Println(server.URL())
	strobe.NameLane("main")
	for n := 1; ; n++ {
		strobe.Frame("frame")
		strobe.Plot("entities", float64(100+n%10))
		s := update.Enter()
		think(n == slow)
		s.Exit()
		s = render.Enter()
		work(500 * time.Microsecond)
		s.Exit()
		s = wait.Enter()
		time.Sleep(9 * time.Millisecond)
		s.Exit()
	}
}

// think finds paths.
func think(slow bool) {
	s := ai.Enter()
	defer s.Exit()
	work(100 * time.Microsecond)
	p := path.Enter()
	defer p.Exit()
	if slow {
		strobe.Message("a path is long")
		time.Sleep(400 * time.Millisecond)
	}
	work(50 * time.Microsecond)
}

// work keeps the processor busy.
func work(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

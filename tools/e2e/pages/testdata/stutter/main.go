// SPDX-License-Identifier: BSD-3-Clause

// Stutter is a program that the live page watches: a loop at 60 Hz, like that of a game, and a goroutine that mixes sound. In
// one of the frames path-finding takes a long time.
//
//	stutter ADDR FRAME DURATION
//
// It listens at ADDR, prints the address of its page, and is slow in frame FRAME by DURATION.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/pace"
)

const rate = 60 // Hz

var (
	wait        = strobe.NewWaitZone("wait")
	input       = strobe.NewZone("input")
	update      = strobe.NewZone("update")
	physics     = strobe.NewZone("physics")
	broadphase  = strobe.NewZone("broadphase")
	narrowphase = strobe.NewZone("narrowphase")
	ai          = strobe.NewZone("ai")
	path        = strobe.NewZone("path")
	render      = strobe.NewZone("render")
	cull        = strobe.NewZone("cull")
	shadows     = strobe.NewZone("shadows")
	mix         = strobe.NewZone("mix")
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: stutter ADDR FRAME DURATION"))
	}
	slow, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	long, err := time.ParseDuration(os.Args[3])
	if err != nil {
		fail(err)
	}
	server := live.New(live.Options{Budget: time.Second / rate})
	if err := server.Listen(os.Args[1]); err != nil {
		fail(err)
	}
	fmt.Println(server.URL())
	go sound()
	strobe.NameLane("main")
	p := pace.NewLimiter(pace.Options{Rate: rate})
	for n := 1; ; n++ {
		s := wait.Enter()
		p.Wait(context.Background())
		s.Exit()
		strobe.Frame("frame")
		spend(input, 100)
		pass := time.Duration(0)
		if n == slow {
			pass = long
		}
		advance(n, pass)
		draw()
	}
}

// advance advances the world by one step.
func advance(n int, slow time.Duration) {
	defer update.Enter().Exit()
	strobe.Plot("entities", float64(200+n%97))
	p := physics.Enter()
	spend(broadphase, 400)
	for range 4 {
		spend(narrowphase, 250)
	}
	p.Exit()
	think(slow)
}

// think finds paths.
func think(slow time.Duration) {
	defer ai.Enter().Exit()
	work(300)
	defer path.Enter().Exit()
	if slow > 0 {
		strobe.Message("a path is long")
		time.Sleep(slow)
	}
	work(150)
}

func draw() {
	defer render.Enter().Exit()
	spend(cull, 300)
	spend(shadows, 900)
	work(500)
}

func sound() {
	strobe.NameLane("sound")
	for range time.Tick(50 * time.Millisecond) {
		spend(mix, 300)
	}
}

var sink []byte

// spend stays in a zone for about us microseconds, and allocates.
func spend(z *strobe.Zone, us float64) {
	defer z.Enter().Exit()
	sink = make([]byte, 4<<10)
	work(us)
}

// work keeps the processor busy for about us microseconds.
func work(us float64) {
	d := time.Duration(us * (0.9 + 0.2*rand.Float64()) * 1000)
	for start := time.Now(); time.Since(start) < d; {
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// SPDX-License-Identifier: BSD-3-Clause

// Command live draws frames, some of them slow, and shows them in a browser, so that you can find the zone that is responsible.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/pace"
)

var zUpdate, zPhysics, zPaths, zDraw = strobe.NewZone("update"), strobe.NewZone("physics"), strobe.NewZone("find paths"), strobe.NewZone("draw")

// work keeps the processor busy.
func work(z *strobe.Zone, d time.Duration) {
	defer z.Enter().Exit()
	for start := time.Now(); time.Since(start) < d; {
	}
}

func update() {
	defer zUpdate.Enter().Exit()
	work(zPhysics, 2*time.Millisecond)
	d := 500 * time.Microsecond
	if rand.IntN(200) == 0 {
		d = 30 * time.Millisecond
		strobe.Message("a long way")
	}
	work(zPaths, d)
}

// listen listens at addr, or if that is empty at the default address or any free port.
func listen(server *live.Server, addr string) error {
	err := server.Listen(addr)
	if err != nil && addr == "" { // another program is shown there
		err = server.Listen(":0")
	}
	return err
}

func main() {
	addr := flag.String("http", "", "where to listen; the default is "+live.DefaultAddr+", or any port if that is in use")
	d := flag.Duration("for", time.Minute, "how long to run")
	flag.Parse()

	server := live.New(live.Options{Budget: time.Second / 60})
	defer server.Close()
	if err := listen(server, *addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("open", server.URL())

	strobe.NameLane("main")
	limiter := pace.NewLimiter(pace.Options{Rate: 60})
	for start := time.Now(); time.Since(start) < *d; {
		limiter.Wait(context.Background())
		strobe.Frame("draw")
		update()
		work(zDraw, 3*time.Millisecond)
	}
}

// SPDX-License-Identifier: BSD-3-Clause

// Steady is a loop at 240 Hz with ten zones, one of which is slow in one frame.
//
//	steady FRAME ZONE DURATION
//
// It prints the address of its page, and "1000" when there have been a thousand frames and the page can show the slow one. For each
// line of input it prints the number of bytes in its heap after a garbage collection.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
)

// The zones, each with those inside it.
type zone struct {
	name   string
	inside []*zone
	z      *strobe.Zone
}

var tree = []*zone{{name: "input"}, {name: "update", inside: []*zone{
	{name: "physics", inside: []*zone{{name: "broadphase"}, {name: "narrowphase"}}}, {name: "ai", inside: []*zone{{name: "path"}}}}},
	{name: "render", inside: []*zone{{name: "cull"}, {name: "shadows"}}}}

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: steady FRAME ZONE DURATION"))
	}
	slow, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	long, err := time.ParseDuration(os.Args[3])
	if err != nil {
		fail(err)
	}
	name(tree)
	server := live.New(live.Options{StoreBytes: 1 << 20, RecordBytes: 1 << 20}) // small, so that they fill up quickly
	if err := server.Listen("127.0.0.1:0"); err != nil {
		fail(err)
	}
	fmt.Println(server.URL())
	go answer()
	strobe.NameLane("main")
	ticker := time.NewTicker(time.Second / 240)
	told := false
	for n := 1; ; n++ {
		<-ticker.C
		strobe.Frame("frame")
		where := ""
		if n == slow {
			where = os.Args[2]
		}
		pass(tree, where, long)
		if n >= 1000 && n%24 == 0 && !told && known(server, long) {
			fmt.Println(1000)
			told = true
		}
	}
}

// known reports whether the page has a frame that took that long.
func known(server *live.Server, long time.Duration) bool {
	return long == 0 || slices.ContainsFunc(server.SlowFrames(), func(f live.SlowFrame) bool { return f.Took >= long })
}

func name(zones []*zone) {
	for _, z := range zones {
		z.z = strobe.NewZone(z.name)
		name(z.inside)
	}
}

// pass goes through all zones and takes long in one of them.
func pass(zones []*zone, slow string, long time.Duration) {
	for _, z := range zones {
		s := z.z.Enter()
		for start := time.Now(); time.Since(start) < 30*time.Microsecond; {
		}
		pass(z.inside, slow, long)
		if z.name == slow {
			time.Sleep(long)
		}
		s.Exit()
	}
}

func answer() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(m.HeapAlloc)
	}
	os.Exit(0)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

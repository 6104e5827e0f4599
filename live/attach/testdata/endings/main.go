// SPDX-License-Identifier: BSD-3-Clause

// Endings ends in the way that its argument names. Before, it calls zone work 1000 times, prints "ready", and waits for the argument's
// way to end.
package main

import (
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/strobe-go/strobe"
	_ "github.com/strobe-go/strobe/live/attach"
)

var zWork, zTiny, zSlow, zUnit = strobe.NewZone("work"), strobe.NewZone("tiny"), strobe.NewZone("slow"), strobe.NewRootZone("unit")

//go:noinline
func work() { defer zWork.Enter().Exit() }

//go:noinline
func tiny() { defer zTiny.Enter().Exit() }

func main() {
	for range 1000 {
		work()
	}
	switch os.Args[1] {
	case "return":
	case "exit":
		os.Exit(3)
	case "fatal":
		log.Fatal("fatal")
	case "panic":
		time.Sleep(2 * time.Second) // for a reading, on a busy machine
		panic("panic")
	case "deep": // a panic on another goroutine
		time.Sleep(2 * time.Second) // for a reading, on a busy machine
		go func() { panic("deep") }()
		select {}
	case "goexit":
		go func() {
			time.Sleep(time.Second / 10)
			work()
			os.Exit(0)
		}()
		runtime.Goexit()
	case "deadlock":
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	case "goexited":
		runtime.Goexit()
	case "timer":
		select {
		case <-time.After(3 * time.Second):
			work()
		case <-make(chan int):
		}
	case "connection":
		on, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		conn, err := net.Dial("tcp", on.Addr().String())
		if err != nil {
			log.Fatal(err)
		}
		go func() { conn.Read(make([]byte, 1)); work(); os.Exit(0) }()
		exec.Command("sleep", "3").Run()
		on.Close()
		conn.Close()
		select {}
	case "child":
		exec.Command("sleep", "3").Run()
		work()
	case "wait":
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "handled":
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt, syscall.SIGTERM)
		fmt.Println("ready")
		fmt.Println("got", <-c)
		work()
		os.Exit(7)
	case "again": // as its own child
		out, err := exec.Command(os.Args[0], "return").CombinedOutput()
		fmt.Printf("%s%v %v\n", out, err, strings.Contains(fmt.Sprint(os.Environ()), "STROBE"))
	case "folder":
		os.Chdir(os.TempDir())
	case "units": // the last of which is slow
		os.Chdir(os.TempDir())
		slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, nil)))
		for i := range 50 {
			zUnit.Do(func() { time.Sleep(time.Millisecond + time.Duration(i/49*60)*time.Millisecond) })
		}
	case "hot", "sampled":
		defer zSlow.Enter().Exit()
		for start := time.Now(); time.Since(start) < time.Second/2; {
			for range 1000 {
				tiny()
			}
		}
		if os.Args[1] == "sampled" {
			s := strobe.TakeSnapshot()
			i, _ := s.Zone("tiny")
			fmt.Println(s.Zones[i].Every)
		}
	}
}

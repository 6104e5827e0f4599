// SPDX-License-Identifier: BSD-3-Clause

// Command slow imitates a server that is fast, except when its store writes to the disk: once a second a flush holds the lock that
// requests need. Package capture finds out.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
)

var (
	zRequest = strobe.NewRootZone("request")
	zSave    = strobe.NewZone("save")
	zFlush   = strobe.NewZone("flush")
)

// A store keeps the latest value of each key, and writes all of them to a file.
type store struct {
	mu     sync.Mutex
	values map[string][32]byte
	disk   *os.File
}

func (s *store) save(key string) {
	defer zSave.Enter().Exit()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = sha256.Sum256([]byte(key))
}

func (s *store) flush() {
	defer zFlush.Enter().Exit()
	s.mu.Lock()
	defer s.mu.Unlock()
	for start := time.Now(); time.Since(start) < 100*time.Millisecond; {
		for _, v := range s.values {
			s.disk.Write(v[:])
		}
		s.disk.Sync()
	}
	s.disk.Truncate(0)
}

func handle(s *store, route string) {
	defer zRequest.Enter().Exit()
	strobe.Note("route", route)
	s.save(route)
	time.Sleep(2 * time.Millisecond) // for another service
}

func main() {
	dir := flag.String("dir", "captures", "folder for captures")
	length := flag.Duration("for", 5*time.Second, "how long to serve")
	flag.Parse()
	defer capture.Start(capture.Options{Dir: *dir, Budget: 50 * time.Millisecond}).Stop()
	disk, err := os.CreateTemp("", "slow")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.Remove(disk.Name())
	s := &store{values: make(map[string][32]byte), disk: disk}
	var all sync.WaitGroup
	end := time.Now().Add(*length)
	for client := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; time.Now().Before(end); n++ {
				handle(s, fmt.Sprintf("/%d/%d", client, n%10))
			}
		}()
	}
	for time.Now().Add(time.Second).Before(end) {
		time.Sleep(time.Second)
		s.flush()
	}
	all.Wait()
}

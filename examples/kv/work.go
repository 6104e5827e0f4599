// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/strobe-go/strobe"
)

const (
	keys      = 10_000
	valueSize = 256
)

// A tally counts the operations of the goroutines.
type tally struct{ puts, gets, found uint64 }

// work lets goroutines put and get until ctx ends or one of them fails.
func work(ctx context.Context, s *store, writers, readers int) (done tally, failed error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	begin := func(role string, n int, do func(rng *rand.Rand, t *tally) error) {
		for i := range n {
			all.Go(func() {
				strobe.NameLane(fmt.Sprintf("%s %d", role, i+1))
				rng := rand.New(rand.NewPCG(uint64(len(role)), uint64(i)))
				var mine tally
				var err error
				for err == nil && ctx.Err() == nil {
					err = do(rng, &mine)
				}
				mu.Lock()
				defer mu.Unlock()
				done.puts, done.gets, done.found = done.puts+mine.puts, done.gets+mine.gets, done.found+mine.found
				if err != nil && failed == nil {
					failed = fmt.Errorf("%s %d: %w", role, i+1, err)
					cancel()
				}
			})
		}
	}
	begin("writer", writers, func(rng *rand.Rand, t *tally) error {
		value := make([]byte, valueSize)
		binary.BigEndian.PutUint64(value, t.puts)
		err := s.put(key(rng), value)
		if err == nil {
			t.puts++
		}
		return err
	})
	begin("reader", readers, func(rng *rand.Rand, t *tally) error {
		found, err := s.get(key(rng))
		if err == nil {
			t.gets++
		}
		if found {
			t.found++
		}
		return err
	})
	all.Wait()
	return done, failed
}

func key(rng *rand.Rand) []byte {
	return binary.BigEndian.AppendUint64(nil, rng.Uint64N(keys))
}

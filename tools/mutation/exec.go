// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// goCommand runs go and returns its output; its error messages become the error. cache is the build cache; "" means the usual
// one.
func goCommand(ctx context.Context, cache string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.WaitDelay = time.Second
	if cache != "" {
		cmd.Env = append(os.Environ(), "GOCACHE="+cache)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s%s", args[0], err, out, &stderr)
	}
	return out, nil
}

// output runs a program in a folder and returns its output. The limit is for processor time, and the elapsed time may be four
// times as long, so that a busy machine does not look like an endless loop. Memory is limited too, because a mutant may
// allocate without end.
func output(ctx context.Context, dir string, limit time.Duration, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 4*limit)
	defer cancel()
	if shell, err := exec.LookPath("sh"); err == nil {
		set := fmt.Sprintf(`ulimit -v 16000000; ulimit -t %d; exec "$0" "$@"`, int(limit/time.Second)+1)
		args = append([]string{"-c", set, program}, args...)
		program = shell
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// each calls do for every item, several at a time, and returns the errors.
func each[T any](workers int, items []T, do func(T) error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(items))
	free := make(chan struct{}, workers)
	for i, item := range items {
		free <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-free }()
			errs[i] = do(item)
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

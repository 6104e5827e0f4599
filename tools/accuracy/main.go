// SPDX-License-Identifier: BSD-3-Clause

// Command accuracy plants faults in programs, counts how often package capture names the cause, and writes the page about it. The
// counts are kept in files, from which -trials 0 writes the page again. Run it in the folder of the tools module. If it is
// interrupted, it keeps the rounds that are complete.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/tools/accuracy/busy"
	"github.com/strobe-go/strobe/tools/facts"
)

func main() {
	busy.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	trials := flags.Int("trials", 0, "plant each fault so many times in each program in a round; 0: write only the page")
	rounds := flags.Int("rounds", 1, "rounds of all faults and programs")
	others := flags.Int("busy", 1, "processes that keep a processor busy meanwhile")
	blind := flags.Bool("without-switches", false, "plant the faults without the kernel's records of switches, and keep the counts apart")
	folder := flags.String("results", "accuracy", "folder of the files that keep the counts")
	out := flags.String("o", "../docs/capture-accuracy.md", "page to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *trials > 0 {
		if err := plant(ctx, *trials, *rounds, *others, *blind, *folder, log); err != nil {
			return err
		}
	}
	all, err := readAll(*folder)
	if err != nil {
		return err
	}
	return os.WriteFile(*out, []byte(page(all)), 0o666)
}

// plant runs the tests round after round, and replaces the file of results.
func plant(ctx context.Context, trials, rounds, others int, blind bool, folder string, log io.Writer) error {
	dir, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "capture.test")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if text, err := exec.CommandContext(ctx, "go", "test", "-C", "..", "-c", "-o", binary, "./capture").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	m := measurement{Date: facts.Date(), Commit: facts.Commit(), Processor: facts.Processor(), Processors: facts.Processors(), System: facts.System(),
		Go: runtime.Version(), Nice: facts.Nice(), Loads: []string{facts.Load()}, Trials: trials, Busy: others}
	stop, err := busy.Start(others)
	if err != nil {
		return err
	}
	defer stop()
	kept, without := files[0], ""
	if blind {
		kept, without = files[1], "switches"
	}
	began := time.Now()
	var counts bytes.Buffer
	for n := range rounds {
		fmt.Fprintf(log, "round %d of %d\n", n+1, rounds)
		file := filepath.Join(dir, strconv.Itoa(n))
		cmd := exec.CommandContext(ctx, binary, "-test.run=^TestAccuracy", "-test.v", "-test.timeout=6h", "-results="+file,
			"-trials="+strconv.Itoa(trials), "-seed="+strconv.Itoa(1000*n), "-without="+without)
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join("..", "capture"), log, log
		if err := cmd.Run(); err != nil && ctx.Err() == nil {
			return err
		}
		if ctx.Err() != nil {
			fmt.Fprintln(log, "interrupted: this round is left out")
			break
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		counts.Write(text)
		m.Rounds++
		m.Loads = append(m.Loads, facts.Load())
	}
	if m.Rounds == 0 {
		return ctx.Err()
	}
	m.Minutes = time.Since(began).Minutes()
	first, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, kept), append(append(first, '\n'), counts.Bytes()...), 0o666)
}

// SPDX-License-Identifier: BSD-3-Clause

// Command peers measures every table of tables.txt, the tables' rounds interleaved, and writes BENCHMARKS.md. Tables that it does
// not measure, as those that -table leaves out, stay in the page as they were. Run it in the folder of the peers module, on an otherwise idle machine. If it is
// interrupted, it writes the rounds that are complete.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/tools/peers/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	out := flags.String("o", "BENCHMARKS.md", "file to write")
	trial := flags.Bool("trial", false, "check that everything runs: two short rounds, whose figures mean nothing")
	only := flags.String("table", "", "measure only these tables, separated by commas")
	all := flags.Bool("all", false, "also measure the tables of verdicts and the soak, which take hours; flags of the benchmarks, such as -requests-file FILE, follow --")
	also := flags.String("also", "^$", "also measure the tables that take hours and match this regular expression")
	if err := flags.Parse(args); err != nil {
		return err
	}
	some, err := regexp.Compile(*also)
	if err != nil {
		return fmt.Errorf("-also: %w", err)
	}
	list, err := os.ReadFile("tables.txt")
	if err != nil {
		return fmt.Errorf("run it in tools/peers: %w", err)
	}
	plan, err := report.ParsePlan(string(list))
	if err != nil {
		return err
	}
	tables := slices.Clone(plan)
	if *only != "" {
		names := strings.Split(*only, ",")
		for _, name := range names {
			if !slices.ContainsFunc(plan, func(t report.Table) bool { return t.Name == name }) {
				return fmt.Errorf("no table %s", name)
			}
		}
		tables = slices.DeleteFunc(tables, func(t report.Table) bool { return !slices.Contains(names, t.Name) })
	}
	left := ""
	if !*all && !*trial && *only == "" {
		tables = slices.DeleteFunc(tables, func(t report.Table) bool {
			return (strings.HasSuffix(t.Name, "Verdicts") || t.Name == "Soak") && !some.MatchString(t.Name)
		})
		left = "tables of verdicts and the soak, which take hours: `./check bench -all`"
	}
	testFlags := flags.Args()
	if *trial {
		testFlags = append([]string{"-drift=300ms", "-sample=60ms", "-soak=3s"}, testFlags...)
		for i := range tables {
			tables[i].Rounds = min(tables[i].Rounds, 2)
			if tables[i].Time != "1x" {
				tables[i].Time = "2ms"
			}
		}
	}
	page := report.Page{Command: "./check bench", Tables: tables, Samples: map[string]*report.Samples{}}
	if *all && len(args) == 3 {
		page.Command = "./check bench -all"
	} else if len(args) != 2 || args[0] != "-o" {
		page.Command = "go run ./cmd/peers " + strings.Join(args, " ")
	}
	if page.Machine, err = machine(); err != nil {
		return err
	}
	began := time.Now()
	err = measure(ctx, tables, page.Samples, testFlags, log)
	if ctx.Err() != nil && len(page.Samples) > 0 {
		err = nil
		page.Cut()
		page.Machine = append(page.Machine, report.Fact{Name: "interrupted", Value: "tables have fewer rounds than planned, or are missing"})
	}
	if err != nil {
		return err
	}
	if left != "" {
		page.Machine = append(page.Machine, report.Fact{Name: "left out", Value: left})
	}
	page.Machine = append(page.Machine, report.Fact{Name: "took", Value: time.Since(began).Round(time.Second).String()})
	text := page.Markdown()
	if old, err := os.ReadFile(*out); err == nil && !*trial {
		text = report.Keep(text, string(old), plan)
	}
	return os.WriteFile(*out, []byte(text), 0o666)
}

// measure builds the benchmarks once and interleaves the rounds of the tables.
func measure(ctx context.Context, tables []report.Table, samples map[string]*report.Samples, testFlags []string, log io.Writer) error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "peers.test")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for round, left := 0, true; left; round++ {
		left = false
		for _, t := range tables {
			if round >= t.Rounds {
				continue
			}
			left = true
			fmt.Fprintf(log, "%s, round %d of %d\n", t.Name, round+1, t.Rounds)
			args := append([]string{"-test.run=^$", "-test.bench=^Benchmark" + t.Name + "$", "-test.benchtime=" + t.Time,
				"-test.benchmem", "-test.timeout=6h"}, testFlags...)
			text, err := output(ctx, binary, args, log)
			for again := 0; err != nil && ctx.Err() == nil && again < 2; again++ { // retry, rather than lose all other tables
				fmt.Fprintf(log, "%s, once more: %v\n", t.Name, err)
				text, err = output(ctx, binary, args, log)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			if samples[t.Name] == nil {
				samples[t.Name] = new(report.Samples)
			}
			if err := samples[t.Name].AddRound(t.Name, bytes.NewReader(text)); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// output runs a command and returns what it prints. Long tables report their progress on standard error.
func output(ctx context.Context, name string, args []string, log io.Writer) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = io.MultiWriter(&stderr, log)
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w\n%s%s", err, text, &stderr)
	}
	return text, err
}

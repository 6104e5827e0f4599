// SPDX-License-Identifier: BSD-3-Clause

// Package attach is the half of strobe run that is in the program: the command imports it into programs that it builds. It has no
// names; a program may also import it itself, with a blank import in package main.
//
// In a program that strobe run started it connects to the command, serves the live page from the first request on, tells the command what was measured, now
// and then and when the program ends, and keeps the cost down: a zone that takes more than 2 % of the time of a goroutine, or of the
// processor time of the process, is sampled from then on, as by Zone.SetSampling; and so are the most expensive zones while all
// zones together take more than 4 %.
//
// In other programs it does nothing, unless one of these environment variables is set; then it keeps the cost down, too:
//
//	STROBE_HTTP    where to serve the live page, as for package live/auto, unless the tag strobe_nopage leaves that out of the build
//	STROBE_EXPORT  the file that gets what was measured: a snapshot, if its name ends in .json, or a profile for go tool
//	               pprof, .pb.gz. It is written every few seconds and when main returns or calls os.Exit
//	STROBE_CAPTURE the folder for a file about each slow unit that was explained, as by package capture, which logs it, too
//
// Children of the program do not inherit what makes it connect or write: of several processes, the first one is measured.
//
// Only programs built by strobe run and strobe build are told of their end; in others, the last reading may be some seconds old. Since
// most of their zones are not their author's choice, the cost is kept down in any case, also in children.
package attach

import (
	"encoding/json"
	"os"

	"github.com/strobe-go/strobe/internal/tether"
)

var _ = start()

// start begins what the environment asks for. It returns what runs from then on, or nil.
func start() *feed {
	offer, made := os.Getenv(tether.Variable), os.Getenv(exportVariable)
	os.Unsetenv(tether.Variable)
	os.Unsetenv(exportVariable)
	folder := os.Getenv(captureVariable)
	os.Unsetenv(captureVariable)
	if o, ok := parse(offer); ok {
		return connect(o)
	}
	var slow *explainer
	if folder != "" {
		slow = explain(folder, false)
		atExit(slow.stop)
	}
	serves := os.Getenv("STROBE_HTTP") != ""
	if made == "" {
		if !byCommand && !serves && slow == nil {
			return nil
		}
		return newFeed(nil, serves, nil)
	}
	to, err := newExport(made)
	if err != nil {
		warn("nothing is exported: %v", err)
		return newFeed(nil, serves, nil)
	}
	return newFeed(to, serves, nil)
}

// parse returns an offer that was made to this process.
func parse(text string) (o tether.Offer, ok bool) {
	if text == "" || json.Unmarshal([]byte(text), &o) != nil {
		return o, false
	}
	return o, o.Parent == os.Getppid()
}

// connect connects to strobe run, and serves the page.
func connect(o tether.Offer) *feed {
	to, err := dial(o.Address)
	if err != nil {
		warn("nothing is reported, since strobe run cannot be reached: %v", err)
		return nil
	}
	hello := tether.Hello{Token: o.Token, PID: os.Getpid()}
	if o.HTTP != "" {
		var err error
		if to.page, hello.URL, err = servePage(o.HTTP); err != nil {
			hello.Problem = err.Error()
		}
	}
	if err := to.send(hello); err != nil {
		warn("nothing is reported, since strobe run does not answer: %v", err)
		return nil
	}
	var slow *explainer
	if o.Capture != "" {
		slow = explain(o.Capture, true)
	}
	f := newFeed(to, false, slow)
	go to.listen(f.wake)
	return f
}

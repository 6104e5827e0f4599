// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package pressure

import (
	"os"
	"os/signal"
	"syscall"
)

// stops counts how often the process was continued. Nothing tells a process that it was stopped, and continuing it sends
// SIGCONT, which may arrive a moment after the first code runs again.
type stops struct {
	arrived chan os.Signal
	n       int64
}

func (s *stops) open(refuse) {
	s.arrived = make(chan os.Signal, 16)
	signal.Notify(s.arrived, syscall.SIGCONT)
}

func (s *stops) read(into *Reading) {
	for {
		select {
		case <-s.arrived:
			s.n++
			continue
		default:
		}
		into.set(Continued, s.n)
		return
	}
}

func (s *stops) close() { signal.Stop(s.arrived) }

// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"time"
)

const webClients = 8

// web asks a server for pages at a constant rate. failed is why a client has ended before.
func web(s *server) (l *load, failed chan error) {
	l, failed = new(load), make(chan error, len(s.conns))
	for i, c := range s.conns {
		l.ends.Go(func() {
			request, answer := []byte("GET /pages/"+strconv.Itoa(i)+" HTTP/1.1\r\nHost: peers\r\n\r\n"), make([]byte, 64<<10)
			for next := time.Now(); !l.stop.Load(); time.Sleep(time.Until(next)) {
				_, err := c.Write(request)
				if err == nil {
					err = readAnswer(c, answer)
				}
				if err != nil {
					failed <- err
					return
				}
				l.done.Add(1)
				next = next.Add(time.Second / requestRate * webClients)
			}
		})
	}
	return l, failed
}

// watch is as that of a watcher, in the server.
func (s *server) watch(with string) error {
	_, err := s.get("/watch?with=" + with)
	return err
}

// changes is as that of a watcher, in the server.
func (s *server) changes() (perSecond float64, err error) {
	text, err := s.get("/changes")
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

// measureWeb returns the costs of a page of a web server that is not watched, and that is.
func measureWeb() (map[string]map[string]float64, error) {
	s, err := startServer(os.Args[0], webClients)
	if err != nil {
		return nil, err
	}
	defer s.end()
	l, failed := web(s)
	defer l.end()
	var rates []float64
	cost := func() (us, took float64, err error) {
		before, err := s.used()
		began, n := time.Now(), l.done.Load()
		time.Sleep(captureWindow)
		after, err2 := s.used()
		pages := float64(max(1, l.done.Load()-n))
		rates = append(rates, pages/time.Since(began).Seconds())
		return float64(after-before) / 1e3 / pages, 0, errors.Join(err, err2)
	}
	rate := func() float64 { return median(slices.Clone(rates)) }
	figures, err := watched{cost, s.watch, s.changes, rate}.compare("recorder", "on")
	for _, f := range figures {
		f["pages/s"] = rate()
	}
	select {
	case lost := <-failed:
		err = errors.Join(err, lost)
	default:
	}
	return figures, err
}

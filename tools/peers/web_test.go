// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"errors"
	"os"
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

// watch lets the server be watched by capture or only by the recorder, or by neither.
func (s *server) watch(with string) error {
	_, err := s.get("/watch?with=" + with)
	return err
}

// pageCost returns the server's processor time of a page over a while, in us, and how many pages there were a second.
func (s *server) pageCost(l *load, d time.Duration) (us, rate float64, err error) {
	before, err := s.used()
	began, n := time.Now(), l.done.Load()
	time.Sleep(d)
	after, err2 := s.used()
	if err := errors.Join(err, err2); err != nil {
		return 0, 0, err
	}
	pages := float64(max(1, l.done.Load()-n))
	return float64(after-before) / 1e3 / pages, pages / time.Since(began).Seconds(), nil
}

// measureWeb returns the costs of a page of a web server that is not watched, and that is, and how many pages there were a second.
func measureWeb(with string) (c costs, rate float64, err error) {
	s, err := startServer(os.Args[0], webClients)
	if err != nil {
		return c, 0, err
	}
	defer s.end()
	l, failed := web(s)
	defer l.end()
	var rates []float64
	look := func(to *[]float64) error {
		us, rate, err := s.pageCost(l, captureWindow)
		*to, rates = append(*to, us), append(rates, rate)
		return err
	}
	for range captureCycles {
		if err := look(&c.off); err != nil {
			return c, 0, err
		}
		if err := s.watch(with); err != nil {
			return c, 0, err
		}
		time.Sleep(captureSettle)
		if err := look(&c.on); err != nil {
			return c, 0, err
		}
		if err := s.watch(""); err != nil {
			return c, 0, err
		}
	}
	select {
	case err = <-failed:
	default:
	}
	return c, median(rates), err
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retry tells browsers to reconnect half a second after the stream has ended, instead of after several seconds.
const retry = "retry: 500\n\n"

const (
	mostViewers = 64       // at the same time, if the program may have enough files open
	keptBuffer  = 64 << 10 // bytes of message buffer that are kept between messages
)

// add adds a viewer. If all places are taken, the viewer that connected the longest ago gives its place up: a viewer that
// reads connects again and continues where it was, and one that is stuck does not. add reports false if too many that gave up
// theirs have not ended yet.
func (c *collector) add(v *viewer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.viewers) == c.places {
		if c.leaving == c.places {
			return false
		}
		c.displace()
	}
	if len(c.viewers) == 0 {
		c.machine = c.gauge.read()
	}
	c.joined++
	v.state, v.number = c.state.number, c.joined
	c.viewers[v] = true
	return true
}

// displace ends the stream of the viewer that connected the longest ago.
func (c *collector) displace() {
	var oldest *viewer
	for v := range c.viewers {
		if oldest == nil || v.number < oldest.number {
			oldest = v
		}
	}
	delete(c.viewers, oldest)
	c.leaving++
	close(oldest.displaced)
	oldest.hurry()
}

func (c *collector) remove(v *viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.viewers[v] {
		delete(c.viewers, v)
	} else {
		c.leaving--
	}
}

var errDisplaced = errors.New("another viewer took its place")

// events streams messages until the viewer disconnects or the server is closed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	rate := fastest
	if text := r.FormValue("rate"); text != "" {
		hz, err := strconv.Atoi(text)
		if err != nil || hz < 1 || hz > fastest {
			http.Error(w, "rate must be the number of messages per second, 1 to "+strconv.Itoa(fastest), http.StatusBadRequest)
			return
		}
		rate = hz
	}
	root := noRoot
	switch text := r.FormValue("root"); text {
	case "":
	case "any":
		root = anyRoot
	default:
		zone, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			http.Error(w, "root must be the number of a root zone, or any", http.StatusBadRequest)
			return
		}
		root = int(zone) + 1
	}
	v := &viewer{c: s.collector, run: s.run, budget: s.options.Budget, want: r.FormValue("loop"), zone: root, every: time.Second / time.Duration(rate),
		news: make(chan struct{}, 1), displaced: make(chan struct{})}
	if run, number, found := strings.Cut(r.Header.Get("Last-Event-ID"), ":"); found && run == s.run {
		if n, err := strconv.ParseUint(number, 10, 62); err == nil && n > 0 {
			v.resume = n + 1
		}
	}
	control := http.NewResponseController(w)
	v.hurry = func() { control.SetWriteDeadline(time.Now()) }
	if !s.collector.add(v) {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "there are "+strconv.Itoa(s.collector.places)+" viewers, which is the limit, and as many that do not read: try again", http.StatusServiceUnavailable)
		return
	}
	defer s.collector.remove(v)
	s.collector.soon()
	boundBuffer(r)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy that buffers would delay messages
	send := func(b []byte) error {
		control.SetWriteDeadline(time.Now().Add(s.patience)) // where it is not supported, the server has its own
		select {
		case <-v.displaced: // before the deadline was set: that of hurry was overwritten
			return errDisplaced
		default:
		}
		if len(b) > 0 { // writing nothing would write the header
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return control.Flush()
	}
	if errors.Is(send(nil), http.ErrNotSupported) {
		http.Error(w, "this server cannot stream: a handler that wraps package live hides http.Flusher", http.StatusNotImplemented)
		return
	}
	if send([]byte(retry)) != nil {
		return
	}
	s.stream(r, v, send)
}

func (s *Server) stream(r *http.Request, v *viewer, send func([]byte) error) {
	due := time.NewTimer(0)
	defer due.Stop()
	var b []byte
	for more := true; ; {
		if !more {
			select {
			case <-v.news:
			case <-s.done:
			case <-v.displaced:
				return
			case <-r.Context().Done():
				return
			}
		}
		select {
		case <-s.done:
			send(append(b[:0], "event: bye\ndata: {}\n\n"...))
			return
		default:
		}
		due.Reset(v.every - v.every/8) // readings come at this rate, but not quite evenly
		if b, more = v.messages(b[:0]); len(b) > 0 && send(b) != nil {
			return
		}
		if cap(b) > keptBuffer {
			b = nil
		}
		if more {
			continue
		}
		select {
		case <-due.C:
		case <-s.done:
		case <-v.displaced:
			return
		case <-r.Context().Done():
			return
		}
	}
}

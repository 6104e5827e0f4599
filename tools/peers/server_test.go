// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkServer measures what spans cost a web server under load.
func BenchmarkServer(b *testing.B) { runRows(b, serverRows()) }

const (
	clients = 200
	window  = 250 * time.Millisecond
	settle  = 50 * time.Millisecond // before a window, since the caches belong to another process
)

// serverCycles is the number of windows of each way in a round.
const serverCycles = 10

// serverRows are measured together, in alternating windows: off, on, off with the tag, then both with a profile running.
func serverRows() []row {
	measured := sync.OnceValues(measureServer)
	var all []row
	for _, name := range serverWays {
		all = append(all, row{name, func(b *testing.B) {
			once(b, func() map[string]float64 {
				ways, err := measured()
				if err != nil {
					b.Skip(err)
				}
				if ways[name] == nil {
					b.Skip("not measured: ", name)
				}
				return ways[name]
			})
		}})
	}
	return all
}

var serverWays = []string{"off", "on", "strobe_off", "profiled/off", "profiled/on"}

// measureServer returns each way's figures.
func measureServer() (map[string]map[string]float64, error) {
	with, err := startServer(os.Args[0], clients)
	if err != nil {
		return nil, err
	}
	defer with.end()
	without := new(server)
	if binary, remove, err := buildWithout(); err == nil {
		defer remove()
		if without, err = startServer(binary, clients); err != nil {
			return nil, err
		}
		defer without.end()
	}
	rate, cost := map[string][]float64{}, map[string][]float64{}
	look := func(way string, s *server, on bool) error {
		if err := s.set(on); err != nil {
			return err
		}
		r, c, err := s.load()
		rate[way], cost[way] = append(rate[way], r), append(cost[way], c)
		return err
	}
	for cycle := range serverCycles + 1 {
		if cycle == 1 { // the first cycle is a warm-up
			clear(rate)
			clear(cost)
		}
		turns := []func() error{
			func() error { return look("off", with, false) },
			func() error { return look("on", with, true) },
			func() error {
				if without.command == nil {
					return nil
				}
				return look("strobe_off", without, true)
			},
		}
		profiled := []func() error{
			func() error { return look("profiled/off", with, false) },
			func() error { return look("profiled/on", with, true) },
		}
		// In random order, since on a busy machine the window after a pause gets more processor time.
		rand.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		rand.Shuffle(len(profiled), func(i, j int) { profiled[i], profiled[j] = profiled[j], profiled[i] })
		if err := inTurn(turns); err != nil {
			return nil, err
		}
		profile := make(chan error)
		go func() { profile <- with.profile(1) }()
		time.Sleep(settle)
		if err := errors.Join(inTurn(profiled), <-profile); err != nil {
			return nil, err
		}
	}
	ways := map[string]map[string]float64{}
	for way := range rate {
		base := "off"
		if strings.HasPrefix(way, "profiled/") {
			base = "profiled/off"
		}
		ways[way] = map[string]float64{"req/s": median(append([]float64(nil), rate[way]...)), "of-off": medianRatio(rate[way], rate[base]),
			"cpu-us": median(append([]float64(nil), cost[way]...)), "cpu-of-off": medianRatio(cost[way], cost[base])}
	}
	return ways, nil
}

func inTurn(all []func() error) error {
	for _, f := range all {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func medianRatio(a, b []float64) float64 {
	var all []float64
	for i := range a {
		all = append(all, a[i]/b[i])
	}
	return median(all)
}

// buildWithout builds this test binary with strobe_off.
func buildWithout() (binary string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "strobe_off")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	binary = filepath.Join(dir, "peers.test.exe")
	if err := exec.Command("go", "test", "-c", "-tags=strobe_off", "-o", binary, ".").Run(); err != nil {
		remove()
		return "", nil, err
	}
	return binary, remove, nil
}

// A server is a process that serves pages, and the connections of its clients.
type server struct {
	command *exec.Cmd
	input   io.Closer
	address string
	conns   []net.Conn
}

func startServer(binary string, clients int) (*server, error) {
	s := &server{command: exec.Command(binary)}
	s.command.Env = append(os.Environ(), serverEnv+"=1")
	input, err := s.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.input = input
	output, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	line := make([]byte, 64)
	n, err := output.Read(line)
	if err != nil {
		s.end()
		return nil, err
	}
	s.address = strings.TrimSpace(string(line[:n]))
	for range clients {
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			s.end()
			return nil, err
		}
		s.conns = append(s.conns, c)
	}
	return s, nil
}

func (s *server) end() {
	for _, c := range s.conns {
		_ = c.Close()
	}
	_ = s.input.Close() // the server exits when its input is closed
	_ = s.command.Process.Kill()
	_ = s.command.Wait()
}

func (s *server) get(path string) (string, error) {
	r, err := http.Get("http://" + s.address + path)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, r.Status, strings.TrimSpace(string(text)))
	}
	return string(text), err
}

func (s *server) set(on bool) error {
	_, err := s.get("/set?on=" + strconv.FormatBool(on))
	return err
}

func (s *server) profile(seconds int) error {
	_, err := s.get("/debug/pprof/profile?seconds=" + strconv.Itoa(seconds))
	return err
}

// used returns the processor time of the server.
func (s *server) used() (time.Duration, error) {
	text, err := s.get("/used")
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(text, 10, 64)
	return time.Duration(ns), err
}

// load makes all clients request pages for the length of a window, each one page after another. It returns the pages per second
// and the server's processor time per page in µs.
func (s *server) load() (perSecond, us float64, err error) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	pages := make([]atomic.Int64, len(s.conns))
	failed := make(chan error, len(s.conns))
	for i, c := range s.conns {
		wg.Go(func() {
			if err := ask(c, i, &stop, &pages[i]); err != nil {
				failed <- err
			}
		})
	}
	look := func() (at time.Time, n int64, used time.Duration, err error) {
		for i := range pages {
			n += pages[i].Load()
		}
		at = time.Now()
		used, err = s.used()
		return at, n, used, err
	}
	time.Sleep(settle)
	begin, first, before, err := look()
	time.Sleep(window)
	end, last, after, err2 := look()
	stop.Store(true)
	wg.Wait()
	close(failed)
	if err := errors.Join(err, err2, <-failed); err != nil {
		return 0, 0, err
	}
	if last == first {
		return 0, 0, errors.New("the server has sent no page in " + window.String())
	}
	n := float64(last - first)
	return n / end.Sub(begin).Seconds(), float64(after-before) / 1e3 / n, nil
}

// ask requests pages until stop, and counts them.
func ask(c net.Conn, client int, stop *atomic.Bool, count *atomic.Int64) error {
	request := []byte("GET /pages/" + strconv.Itoa(client%pages) + " HTTP/1.1\r\nHost: peers\r\n\r\n")
	answer := make([]byte, 64<<10)
	for !stop.Load() {
		if _, err := c.Write(request); err != nil {
			return err
		}
		if err := readAnswer(c, answer); err != nil {
			return err
		}
		count.Add(1)
	}
	return nil
}

// readAnswer reads one HTTP response, which must have a Content-Length and fit into the buffer.
func readAnswer(c net.Conn, buffer []byte) error {
	have := 0
	for {
		n, err := c.Read(buffer[have:])
		if err != nil {
			return err
		}
		have += n
		head, _, ok := strings.Cut(string(buffer[:have]), "\r\n\r\n")
		if !ok {
			continue
		}
		_, length, ok := strings.Cut(head, "Content-Length: ")
		length, _, _ = strings.Cut(length, "\r\n")
		size, err := strconv.Atoi(length)
		if !ok || err != nil || !strings.HasPrefix(head, "HTTP/1.1 200") {
			return errors.New("not an answer with a length: " + head)
		}
		for have < len(head)+4+size {
			n, err := c.Read(buffer[have:])
			if err != nil {
				return err
			}
			have += n
		}
		return nil
	}
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/planted"
)

// quotaFault returns the fault of a quota that is used up.
func quotaFault(t *testing.T) planted.Fault {
	faults := planted.Faults()
	at := slices.IndexFunc(faults, func(f planted.Fault) bool { return f.Name == "cgroup quota" })
	if at < 0 {
		t.Skip("quotas can be planted on Linux only")
	}
	return faults[at]
}

// A quota is not taken for anything of the program's own.
func TestAQuotaOfTheControlGroupIsSeen(t *testing.T) {
	o := plantAll(t, programs[0], quotaFault(t), 3, rand.New(rand.NewPCG(11, 0)))
	t.Logf("%+v", o)
	if o.own > 0 {
		t.Errorf("%d of 3 are blamed on the program: %+v", o.own, o)
	}
}

// repeat makes calls of a root zone until stop is closed.
func repeat(z *strobe.Zone, do func(), stop <-chan bool) {
	for {
		select {
		case <-stop:
			return
		default:
			z.Do(do)
		}
	}
}

// While another goroutine uses the quota up, short waits end late: sleeps, connections, system calls. They are not what took long, with the
// kernel's records of switches or without.
func TestShortWaitsThatAQuotaMakesLongAreNotBlamed(t *testing.T) {
	if !child.Process(t) {
		return
	}
	quota := quotaFault(t).Prepare(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err == nil {
			io.Copy(c, c)
			c.Close()
		}
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	buffer := make([]byte, 16)
	for _, c := range []struct {
		name string
		do   func()
		not  []Cause
	}{
		{"sleeps", func() { time.Sleep(5 * time.Millisecond) }, []Cause{Sleep}},
		{"asks", func() {
			conn.Write(buffer)
			io.ReadFull(conn, buffer)
		}, []Cause{Network, Syscall}},
		{"reads", func() { os.ReadFile("/proc/self/stat") }, []Cause{Syscall}},
	} {
		for _, left := range []blind{{}, {switches: true}} {
			z := strobe.NewRootZone(c.name)
			reports := make(chan Report, 1000)
			capturer := Start(Options{Roots: []*strobe.Zone{z}, Budget: 15 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler),
				On: func(r Report) { reports <- r }, without: left})
			time.Sleep(100 * time.Millisecond)
			for range 2 * warm {
				z.Do(c.do)
			}
			for range 4 {
				done := make(chan bool)
				go func() {
					quota(60 * time.Millisecond)
					close(done)
				}()
				repeat(z, c.do, done)
				time.Sleep(200 * time.Millisecond)
			}
			capturer.Stop()
			close(reports)
			wrong, all := 0, 0
			for r := range reports {
				t.Log(r.String(), r.Degrees)
				if all++; slices.Contains(c.not, r.Cause) {
					wrong++
				}
			}
			t.Logf("%s, %+v: %d reports, %d blame the wait", c.name, left, all, wrong)
			if all == 0 {
				t.Errorf("%s, %+v: nothing was slow", c.name, left)
			}
			if wrong > 1 && wrong > all/3 { // the machine may be busy, too
				t.Errorf("%s, %+v: of %d reports, %d blame the wait", c.name, left, all, wrong)
			}
		}
	}
}

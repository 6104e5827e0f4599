// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkMessage measures the cost of one viewer at 60 messages per second, of a loop with 240 frames per second and 50 nodes
// in each: reading the recording, cutting frames, and sending the message over the loopback interface.
func BenchmarkMessage(b *testing.B) {
	const (
		messages = 60
		frames   = 240 / messages
		nodes    = 50
	)
	zones := make([]*strobe.Zone, nodes)
	for i := range zones {
		zones[i] = strobe.NewZone(fmt.Sprint("node ", i))
	}
	s := serve(b, Options{})
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer on.Close()
	go func() {
		if c, err := on.Accept(); err == nil {
			io.Copy(io.Discard, c)
		}
	}()
	conn, err := net.Dial("tcp", on.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	v := &viewer{c: s.collector, want: "bench", every: 1 << 40, news: make(chan struct{}, 1)}
	s.collector.add(v)
	lane := strobe.NewLane("bench")
	defer lane.Close()
	var text []byte
	bytes, sent := 0, 0
	for b.Loop() {
		b.StopTimer()
		for range frames {
			strobe.Frame("bench")
			whole := lane.Enter(zones[0])
			for _, z := range zones[1:] {
				lane.Enter(z).Exit()
			}
			whole.Exit()
		}
		b.StartTimer()
		s.collector.read()
		for more := true; more; {
			text, more = v.messages(text[:0])
			if _, err := conn.Write(text); err != nil {
				b.Fatal(err)
			}
			bytes += len(text)
		}
		sent++
	}
	b.ReportMetric(float64(bytes)/float64(sent), "B/message")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*messages*100, "%core")
}

// BenchmarkSpan measures the cost of a span for the reader if there are many, in a program that nobody watches.
func BenchmarkSpan(b *testing.B) {
	zone := strobe.NewZone("one of many")
	s := serve(b, Options{})
	lane := strobe.NewLane("bench of spans")
	defer lane.Close()
	const spans = 10_000
	for b.Loop() {
		b.StopTimer()
		strobe.Frame("bench of spans")
		for range spans {
			lane.Enter(zone).Exit()
		}
		b.StartTimer()
		s.collector.read()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/spans, "ns/span")
}

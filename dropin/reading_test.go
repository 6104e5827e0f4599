// SPDX-License-Identifier: BSD-3-Clause

package dropin_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

type embedding struct {
	*bufio.Reader
	rd io.Reader
}

// A locked reader must not be asked by one who has the lock.
type locked struct{ rd io.Reader }

func (locked) Buffered() int              { panic("deadlock") }
func (locked) Read(b []byte) (int, error) { return 0, io.EOF }

func TestReadingWaitsIfWhatIsReadMayWait(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("all zones are the same in a build without strobe")
	}
	near, far := net.Pipe()
	defer near.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	full := bufio.NewReader(far)
	go near.Write([]byte("text"))
	full.ReadByte()
	var packed bytes.Buffer
	gzip.NewWriter(&packed).Close()
	unzip, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer server.Close()
	response, err := http.Post(server.URL, "text/plain", strings.NewReader(strings.Repeat("x", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	wait := strobe.NewWaitZone("wait")
	for name, x := range map[string]struct {
		from any
		want bool
	}{
		"a connection":                      {far, true},
		"a pipe":                            {read, true},
		"the body of a response":            {response.Body, true},
		"an empty buffer of a connection":   {bufio.NewReader(far), true},
		"an empty buffer of a response":     {bufio.NewReader(response.Body), true},
		"a buffer that has bytes":           {full, false},
		"an empty buffer of bytes":          {bufio.NewReader(new(bytes.Buffer)), false},
		"an empty buffer of what is packed": {bufio.NewReader(unzip), false},
		"an empty buffer of nothing":        {new(bufio.Reader), false},
		"what is packed":                    {unzip, false},
		"a text":                            {strings.NewReader("text"), false},
		"bytes":                             {new(bytes.Buffer), false},
		"a part of a connection":            {io.LimitReader(far, 3), false},
		"a type with fields of a buffer":    {embedding{bufio.NewReader(far), far}, false},
		"a type with a method of a buffer":  {locked{far}, false},
		"no buffer":                         {(*bufio.Reader)(nil), false},
		"nothing":                           {nil, false},
	} {
		z := dropin.Reading(wait, x.from)
		if z == nil || (z == wait) != x.want {
			t.Errorf("%s: reading waits: %v", name, z == wait)
		}
		z.Enter().Exit()
	}
	if n := testing.AllocsPerRun(100, func() { dropin.Reading(wait, full); dropin.Reading(wait, far) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	empty := bufio.NewReader(far)
	if n := testing.AllocsPerRun(100, func() { dropin.Reading(wait, empty) }); n > 0 {
		t.Errorf("%v allocations before a wait", n)
	}
}

func BenchmarkReading(b *testing.B) {
	near, far := net.Pipe()
	defer near.Close()
	z := strobe.NewWaitZone("wait of the benchmark")
	full := bufio.NewReader(strings.NewReader("text"))
	full.ReadByte()
	for name, from := range map[string]any{"connection": far, "text": strings.NewReader(""), "full": full, "empty": bufio.NewReader(far)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				dropin.Reading(z, from)
			}
		})
	}
}

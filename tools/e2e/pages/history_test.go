// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/live"
)

// This is the usual case: somebody opens the page after the program has stuttered.
func TestAPageOpenedAfterAStutterTellsOfItsCollections(t *testing.T) {
	if !child.Process(t) { // the page shows the first loop of a process, which could be that of another test
		return
	}
	server, err := live.Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	zone := strobe.NewZone("before anybody looked")
	stop, stopped := make(chan struct{}), make(chan struct{})
	defer func() { close(stop); <-stopped }()
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			strobe.Frame("stutters before")
			span := zone.Enter()
			if i == 100 {
				for range 3 {
					runtime.GC()
				}
				time.Sleep(time.Second)
			}
			span.Exit()
		}
	}()
	for found := false; !found; time.Sleep(10 * time.Millisecond) {
		for _, f := range server.SlowFrames() {
			found = found || f.Took > time.Second && time.Since(f.Ended) > 0
		}
	}
	url := strings.TrimSuffix(server.URL(), "/")
	p := watch(t, fresh(t), url, 1000, 800, "light")
	p.until(t, `/^[1-9][0-9.]* s$/.test(document.querySelector("#worst button")?.textContent)`) // other frames are shown before it
	p.click(t, "#worst button")
	p.until(t, `document.querySelector("#compare small")?.textContent.includes("Garbage was collected within ")`) // the history may arrive later
	p.quiet(t)
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// A program's requests reach a viewer with their notes, and with the work of other goroutines for them.
func TestTheRequestsOfAProgramReachAViewer(t *testing.T) {
	request, query, resize := strobe.NewRootZone("request to a viewer"), strobe.NewZone("query"), strobe.NewZone("resize")
	s := serve(t, Options{RecordBytes: 1 << 20})
	for i := range 20 {
		span := request.Enter()
		strobe.Note("number", strconv.Itoa(i))
		inner := query.Enter()
		task, done := strobe.CurrentTask(), make(chan bool)
		go func() {
			work := task.Enter(resize)
			time.Sleep(time.Microsecond)
			work.Exit()
			close(done)
		}()
		<-done
		inner.Exit()
		span.Exit()
	}
	zone := slices.Index(strobe.Zones(), request)
	c := watch(t, s, fmt.Sprintf("?rate=60&root=%d", zone))
	zones, paths, units := map[float64]int32{}, map[int32][4]int32{}, map[string][]any{}
	until(c, "frames", func(m framesData) bool {
		for _, p := range m.Paths {
			paths[p[0]] = p
		}
		for _, u := range m.Units {
			if notes, _ := u[7].([]any); len(notes) == 2 && notes[0] == "number" {
				units[fmt.Sprint(notes[1])] = u
			}
		}
		return len(units) == 20
	})
	for number, u := range units {
		clear(zones)
		for k := 8; k < len(u); k += 3 {
			p := paths[int32(u[k].(float64))]
			zones[float64(p[3])] = p[1]
			if u[k+1] != 1.0 {
				t.Errorf("request %s has %v calls of zone %d", number, u[k+1], p[3])
			}
		}
		index := func(z *strobe.Zone) float64 { return float64(slices.Index(strobe.Zones(), z)) }
		if len(zones) != 3 || zones[index(request)] != ownLane || zones[index(query)] != ownLane || zones[index(resize)] != linkedLane {
			t.Errorf("request %s has zones on lanes %v", number, zones)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"errors"
	"time"
)

// Sources lists the clocks of this machine: those of this package, the raw counter, Go's and the operating system's. A
// clock that cannot be read on this machine is listed with the reason in Err.
func Sources() []Source {
	Now()
	start := time.Now()
	list := []Source{
		{Name: "clock.Now", Hz: 1e9, Read: func() int64 { return int64(Now()) }, fenced: func() int64 { return int64(NowOrdered()) }},
		{Name: "clock.NowOrdered", Hz: 1e9, Read: func() int64 { return int64(NowOrdered()) }},
		{Name: "time.Now", Hz: 1e9, Read: func() int64 { return time.Now().UnixNano() }},
		{Name: "time.Since", Hz: 1e9, Read: func() int64 { return int64(time.Since(start)) }},
	}
	if counterName == "" {
		_, reason := steadyCounter()
		list = append(list, Source{Name: "counter", Err: errors.New(reason)})
	} else {
		hz := claimedHz()
		fenced := func() int64 { return int64(fenceCounter()) }
		list = append(list,
			Source{Name: counterName, Hz: hz, Read: func() int64 { return int64(readCounter()) }, raw: true, fenced: fenced},
			Source{Name: counterName + " fenced", Hz: hz, Read: fenced, raw: true})
	}
	return append(list, systemSources()...)
}

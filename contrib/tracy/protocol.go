// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// shibboleth is what Tracy sends first, before the version of its protocol.
const shibboleth = "TracyPrf"

// Answers to it.
const (
	welcome      = 1
	mismatch     = 2
	notAvailable = 3
)

// A dialect is one version of the protocol: the codes of the events that are sent, and how they are packed.
type dialect struct {
	version uint32
	release string
	short   bool // times and lengths have short forms, and messages have a severity

	message, zoneBegin, zoneEnd, plotDouble        byte
	terminate, keepAlive, threadContext            byte
	frameMark, sourceLocation                      byte
	acknowledge, noSourceCode, noSymbolCode        byte
	singleString, singleString8                    byte
	stringData, threadName, plotName, frameName    byte
	zoneBegin32, zoneBegin16, zoneEnd32, zoneEnd16 byte
}

// The codes are positions in the enumeration QueueType.
var dialects = [...]dialect{
	{
		version: 82, release: "0.14", short: true,
		message: 2, zoneBegin: 19, zoneBegin32: 20, zoneBegin16: 21, zoneEnd: 25, zoneEnd32: 26, zoneEnd16: 27, plotDouble: 57,
		terminate: 73, keepAlive: 74, threadContext: 75, frameMark: 83, sourceLocation: 87,
		acknowledge: 108, noSourceCode: 109, noSymbolCode: 110, singleString: 112, singleString8: 114,
		stringData: 119, threadName: 120, plotName: 121, frameName: 125,
	},
	{
		version: 76, release: "0.13",
		message: 2, zoneBegin: 15, zoneEnd: 17, plotDouble: 47,
		terminate: 60, keepAlive: 61, threadContext: 62, frameMark: 70, sourceLocation: 74,
		acknowledge: 95, noSourceCode: 96, noSymbolCode: 97, singleString: 99,
		stringData: 104, threadName: 105, plotName: 106, frameName: 110,
	},
}

// speaks returns the dialect of a version; nil if there is none.
func speaks(version uint32) *dialect {
	for i := range dialects {
		if dialects[i].version == version {
			return &dialects[i]
		}
	}
	return nil
}

// Kinds of queries.
const (
	queryTerminate = iota
	queryString
	queryThreadName
	querySourceLocation
	queryPlotName
	queryFrameName
	queryParameter
	queryFiberName
	queryExternalName
	queryDisconnect
	queryCallstackFrame
	querySymbol
	querySymbolCode
	querySourceCode
	queryDataTransfer
	queryDataTransferPart
)

// A query is a request from Tracy.
type query struct {
	kind byte
	ptr  uint64
}

// querySize is the size of an encoded query: the kind, a pointer and a number that the answers here do not need.
const querySize = 1 + 8 + 4

func parseQuery(b *[querySize]byte) query {
	return query{b[0], binary.LittleEndian.Uint64(b[1:9])}
}

const (
	programNameSize = 64
	hostInfoSize    = 1024
	onDemand        = 1 // flag: the program was running before Tracy connected
)

// greeting returns the message after the answer to the handshake. Times are in nanoseconds since begin.
func greeting(begin, now clock.Instant, wall time.Time, pid int, program, host string) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, math.Float64bits(1)) // nanoseconds in a tick
	b = le.AppendUint64(b, uint64(begin))
	b = le.AppendUint64(b, uint64(begin))
	b = le.AppendUint64(b, 1) // resolution
	b = le.AppendUint64(b, uint64(wall.Unix()))
	b = le.AppendUint64(b, 0) // when the program was built: unknown
	b = le.AppendUint64(b, uint64(pid))
	b = le.AppendUint64(b, 0)            // sampling period: there are no samples
	b = append(b, onDemand, 0)           // architecture: unknown
	b = append(b, make([]byte, 12+4)...) // processor: unknown
	b = appendText(b, program, programNameSize)
	b = appendText(b, host, hostInfoSize)
	b = le.AppendUint64(b, 0) // number of earlier frames
	return le.AppendUint64(b, uint64(now))
}

// appendText appends a text in size bytes, the last of which is 0.
func appendText(b []byte, text string, size int) []byte {
	n := min(len(text), size-1)
	b = append(b, text[:n]...)
	return append(b, make([]byte, size-n)...)
}

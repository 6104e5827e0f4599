// SPDX-License-Identifier: BSD-3-Clause

// Package strobetracy shows a Go program in the Tracy profiler, goroutine by goroutine, without cgo:
//
//	server, err := strobetracy.Serve("", strobetracy.Options{})
//	...
//	defer server.Close()
//
// Start Tracy, enter the address, and connect. Lanes are threads, spans are zones, loops that call strobe.Frame are frame
// sets, and plots and messages are the same in Tracy. When Tracy connects, it first receives everything that strobe.Record
// still holds. Spans that were overwritten are missing, and so are the untimed calls of sampled zones.
//
// # Versions
//
// Each release of Tracy speaks only its own protocol. This package speaks those of Tracy 0.13 (76) and 0.14 (82). It tells
// other releases that the protocols do not match, which Tracy shows. Server.Refused returns the version that was refused.
//
// # Security
//
// Nothing listens before Serve is called, which uses the loopback interface unless the address names another. The protocol
// has no authentication: anyone who can reach the address can read the names of zones and all measurements. The server serves
// one Tracy at a time. The memory of a connection is bounded, and a connection that does not read is closed.
//
// # Cost
//
// While no Tracy is connected, nothing is read, but recording continues; see Options. While one is connected, a separate
// goroutine reads the recording a hundred times a second.
//
// # Sources
//
// Tracy's TracyProtocol.hpp, TracyQueue.hpp and TracyWorker.cpp of releases 0.13.1 and 0.14.0; the LZ4 block format.
package strobetracy

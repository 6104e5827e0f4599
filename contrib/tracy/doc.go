// SPDX-License-Identifier: BSD-3-Clause

// Package strobetracy shows a Go program in the Tracy profiler, goroutine by goroutine, without cgo:
//
//	server, err := strobetracy.Serve("", strobetracy.Options{})
//	...
//	defer server.Close()
//
// Start Tracy, enter the address, and connect. Lanes are threads, spans are zones, loops that call strobe.Frame are frame
// sets, and plots and messages are what they are. What was recorded before Tracy connects is sent first, as much of it as
// strobe.Record keeps. Spans that are beyond what the recording holds are missing; those of zones that are sampled are the
// ones that were timed.
//
// # Versions
//
// Tracy speaks the protocol of its own release only. This package speaks those of Tracy 0.13 (76) and 0.14 (82), and tells
// others that they do not match, which Tracy shows. See Server.Refused for the version it asked for.
//
// # Security
//
// Nothing listens before Serve is called, and then on the loopback interface unless the address names another. The protocol
// has no authentication: whoever reaches the address can read the names of zones and all that is measured. One Tracy is
// served at a time. What a connection holds in memory is bounded, and one that does not read is closed.
//
// # Cost
//
// Nothing is read while no Tracy is connected, but recording goes on; see Options. While one is, the recording is read a
// hundred times a second on a goroutine of its own.
//
// # Sources
//
// Tracy's TracyProtocol.hpp, TracyQueue.hpp and TracyWorker.cpp of releases 0.13.1 and 0.14.0; the LZ4 block format.
package strobetracy

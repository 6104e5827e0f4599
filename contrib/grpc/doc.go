// SPDX-License-Identifier: BSD-3-Clause

// Package strobegrpc measures servers and clients of gRPC: one line, and each method is a root zone of the server, whose calls are the
// requests, or a wait zone of the client.
//
//	s := grpc.NewServer(strobegrpc.ServerOptions(strobegrpc.Options{})...)
//
//	conn, err := grpc.NewClient(target, append(strobegrpc.DialOptions(strobegrpc.Options{}), ...)...)
//
// # Servers
//
// A call of "/package.Service/Method" is a unit: see strobe.NewRootZone. It lasts as long as the handler runs. Its context has the task of
// the unit, so that clients, and others that use strobe.TaskFromContext, are part of the unit on all goroutines that get the context. If
// the metadata has a traceparent of W3C Trace Context, the unit has it as a note with the key "trace", by which reports of package
// capture find the trace.
//
// A method with streams in both directions lasts as long as its client wants, and so do those in Options.Streams. Their calls are no
// units, but those of the wait zone "/package.Service/Method (stream)". The time in which a handler of any stream waits to receive
// or to send is in "/package.Service/Method (messages)".
//
// # Clients
//
// A call of "grpc /package.Service/Method" waits for the response or, of a stream, until it has begun. A call of
// "grpc /package.Service/Method (messages)" waits to receive or to send a message of a stream. Both are part of the unit whose task the
// context carries, on any goroutine.
//
// Methods beyond Options.Methods, such as those that clients invent for a server with grpc.UnknownServiceHandler, share a zone.
// With -tags strobe_off there are no options.
package strobegrpc

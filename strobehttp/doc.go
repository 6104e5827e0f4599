// SPDX-License-Identifier: BSD-3-Clause

// Package strobehttp measures servers and clients of net/http: one line, and each route is a root zone, whose calls are the requests.
//
//	http.ListenAndServe(":8080", strobehttp.NewHandler(mux, strobehttp.Options{}))
//
//	client := &http.Client{Transport: strobehttp.NewTransport(nil, strobehttp.TransportOptions{})}
//
// # Routes
//
// A zone is chosen before a request is handled, and therefore by a pattern that is known by then. http.ServeMux is asked for the
// pattern that it will find. The handler may also be inside of the mux, around the handlers of single routes, where Request.Pattern is set. Other
// routers are asked by Options.Pattern or, in a middleware that they call after routing, with Routes.Enter. Requests without a route,
// such as those of scanners, share the zone "(no route)", and routes beyond Options.Zones share "(other routes)".
//
// # Units
//
// A call of such a zone is a unit: see strobe.NewRootZone. It ends when the handler returns or panics. The context of the
// request has the task of the unit, so that clients made by NewTransport, and others that use strobe.TaskFromContext, are part
// of the unit on all goroutines that get the context. If the request has the header traceparent of W3C Trace Context, the unit has
// it as a note with the key "trace", by which reports of package capture find the trace.
//
// # Streams
//
// Some responses have no end of their own: websockets, tunnels, and events that a server pushes. They are no units, since how long they
// last says nothing about the server, and an hour would be called a slow request. A stream is a call of the wait zone
// "PATTERN (stream)", which is open as long as the handler runs; zones inside it show the work. Whether a request is a stream
// must be known before it is handled: it asks to be upgraded to a websocket, has the method CONNECT, accepts text/event-stream and nothing
// else, or its pattern is listed in Options.Streams. List the routes that push events to clients that do not ask for them this way, and
// those of handlers that hijack the connection for another protocol. Zones inside a stream may be root zones, of messages for instance.
//
// # Handlers see what they would see
//
// The ResponseWriter is the one of the server, so that flushing, hijacking, deadlines, sendfile and whatever else it can do remain
// possible. For the same reason, the status of the response is not known here; a handler can add it with strobe.Note. The
// request is a copy with another context; what the handlers around this one read later is copied back: the pattern and parsed
// forms. Request.PathValue is known only inside.
//
// With -tags strobe_off, NewHandler and NewTransport return what they are given.
package strobehttp

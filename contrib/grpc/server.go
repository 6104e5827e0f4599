// SPDX-License-Identifier: BSD-3-Clause

package strobegrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

// Options are those of ServerOptions and DialOptions. The zero value is useful.
type Options struct {
	// Streams are methods whose calls last as long as clients want, such as "/package.Service/Watch", besides those with streams in
	// both directions and "/grpc.health.v1.Health/Watch". Clients do not need them.
	Streams []string

	Methods int // how many methods have zones of their own; less than 1: 200
}

// ServerOptions returns the interceptors of a server. They are called in the order of the options of grpc.NewServer: those before
// them are not measured.
func ServerOptions(o Options) []grpc.ServerOption {
	if !strobe.Enabled {
		return nil
	}
	s := &server{
		units:    dropin.NewZones(strobe.NewRootZone, o.Methods, otherMethods),
		streams:  waits("", " (stream)", o),
		messages: waits("", " (messages)", o),
		lasting:  map[string]bool{"/grpc.health.v1.Health/Watch": true},
	}
	for _, m := range o.Streams {
		s.lasting[m] = true
	}
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(s.unary), grpc.ChainStreamInterceptor(s.stream)}
}

const otherMethods = "(other methods)"

// waits returns wait zones whose names are those of methods between two texts.
func waits(before, after string, o Options) *dropin.Zones {
	return dropin.NewZones(func(name string) *strobe.Zone { return strobe.NewWaitZone(before + name + after) }, o.Methods, otherMethods)
}

type server struct {
	units, streams, messages *dropin.Zones
	lasting                  map[string]bool
}

func (s *server) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	ctx, span := dropin.Enter(ctx, s.units.Zone(info.FullMethod), traceparent(ctx))
	defer span.Exit()
	return handle(ctx, request)
}

func (s *server) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	zones := s.units
	if info.IsClientStream && info.IsServerStream || s.lasting[info.FullMethod] {
		zones = s.streams
	}
	ctx, span := dropin.Enter(stream.Context(), zones.Zone(info.FullMethod), traceparent(stream.Context()))
	defer span.Exit()
	return handle(srv, serverStream{stream, ctx, messages{s.messages.Zone(info.FullMethod), strobe.TaskFromContext(ctx)}})
}

// traceparent returns the value of that key in the metadata that the client sent, or "".
func traceparent(ctx context.Context) string {
	if v := metadata.ValueFromIncomingContext(ctx, "traceparent"); len(v) > 0 {
		return v[0]
	}
	return ""
}

type serverStream struct {
	grpc.ServerStream
	ctx context.Context
	messages
}

func (s serverStream) Context() context.Context { return s.ctx }

func (s serverStream) RecvMsg(m any) error {
	defer s.wait().Exit()
	return s.ServerStream.RecvMsg(m)
}

func (s serverStream) SendMsg(m any) error {
	defer s.wait().Exit()
	return s.ServerStream.SendMsg(m)
}

// messages are those of a stream, which may be received and sent on different goroutines.
type messages struct {
	zone *strobe.Zone
	task strobe.Task
}

func (m messages) wait() strobe.Span { return m.task.Enter(m.zone) }

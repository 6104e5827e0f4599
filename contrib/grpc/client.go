// SPDX-License-Identifier: BSD-3-Clause

package strobegrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

// DialOptions returns the interceptors of a client, for grpc.NewClient.
func DialOptions(o Options) []grpc.DialOption {
	if !strobe.Enabled {
		return nil
	}
	c := &client{waits("grpc ", "", o), waits("grpc ", " (messages)", o)}
	return []grpc.DialOption{grpc.WithChainUnaryInterceptor(c.unary), grpc.WithChainStreamInterceptor(c.stream)}
}

type client struct {
	calls, messages *dropin.Zones
}

func (c *client) unary(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, o ...grpc.CallOption) error {
	defer strobe.TaskFromContext(ctx).Enter(c.calls.Zone(method)).Exit()
	return invoke(ctx, method, request, reply, conn, o...)
}

func (c *client) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, begin grpc.Streamer, o ...grpc.CallOption) (grpc.ClientStream, error) {
	task := strobe.TaskFromContext(ctx)
	defer task.Enter(c.calls.Zone(method)).Exit()
	s, err := begin(ctx, desc, conn, method, o...)
	if err != nil {
		return s, err
	}
	return clientStream{s, messages{c.messages.Zone(method), task}}, nil
}

type clientStream struct {
	grpc.ClientStream
	messages
}

func (s clientStream) Header() (metadata.MD, error) {
	defer s.wait().Exit()
	return s.ClientStream.Header()
}

func (s clientStream) RecvMsg(m any) error {
	defer s.wait().Exit()
	return s.ClientStream.RecvMsg(m)
}

func (s clientStream) SendMsg(m any) error {
	defer s.wait().Exit()
	return s.ClientStream.SendMsg(m)
}

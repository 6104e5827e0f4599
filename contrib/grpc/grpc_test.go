// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobegrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

type text = wrapperspb.StringValue

var zWork = strobe.NewZone("work elsewhere")

// echo is a service with a method of each kind.
var echo = grpc.ServiceDesc{
	ServiceName: "test.Echo", HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Once", Handler: func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		in := new(text)
		if err := decode(in); err != nil {
			return nil, err
		}
		handle := func(ctx context.Context, in any) (any, error) {
			done := make(chan bool)
			go func() {
				strobe.TaskFromContext(ctx).Enter(zWork).Exit()
				close(done)
			}()
			<-done
			if in.(*text).Value == "fail" {
				return nil, status.Error(codes.NotFound, "failed")
			}
			return in, nil
		}
		if intercept == nil {
			return handle(ctx, in)
		}
		return intercept(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: "/test.Echo/Once"}, handle)
	}}},
	Streams: []grpc.StreamDesc{
		{StreamName: "Down", ServerStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			in := new(text)
			if err := s.RecvMsg(in); err != nil {
				return err
			}
			if strobe.TaskFromContext(s.Context()) != strobe.CurrentTask() {
				return errors.New("the context has another task")
			}
			return errors.Join(s.SendMsg(in), s.SendMsg(in))
		}},
		{StreamName: "Up", ClientStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			in := new(text)
			for {
				if err := s.RecvMsg(in); err == io.EOF {
					return s.SendMsg(in)
				} else if err != nil {
					return err
				}
			}
		}},
		{StreamName: "Both", ClientStreams: true, ServerStreams: true, Handler: bounce},
		{StreamName: "Watch", ServerStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			return s.SendMsg(new(text))
		}},
	},
}

func bounce(_ any, s grpc.ServerStream) error {
	in := new(text)
	for {
		if err := s.RecvMsg(in); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := s.SendMsg(in); err != nil {
			return err
		}
	}
}

// serve starts a server and returns a connection to it.
func serve(t testing.TB, so []grpc.ServerOption, do []grpc.DialOption) (conn *grpc.ClientConn, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(append(so, grpc.UnknownServiceHandler(bounce))...)
	s.RegisterService(&echo, nil)
	go s.Serve(l)
	conn, err = grpc.NewClient(l.Addr().String(), append(do, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	return conn, func() { conn.Close(); s.GracefulStop() }
}

// converse sends n messages on a stream, and returns what comes back.
func converse(t *testing.T, conn *grpc.ClientConn, desc grpc.StreamDesc, method string, n int) (got []string, err error) {
	t.Helper()
	s, err := conn.NewStream(t.Context(), &desc, method)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := s.SendMsg(wrapperspb.String(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CloseSend(); err != nil {
		t.Fatal(err)
	}
	for {
		in := new(text)
		if err := s.RecvMsg(in); err == io.EOF {
			return got, nil
		} else if err != nil {
			return got, err
		}
		got = append(got, in.Value)
	}
}

// calls returns the calls of the zones of a role that were made after the first n.
func calls(n int, is func(profile.ZoneInfo) bool) map[string]uint64 {
	s := strobe.TakeSnapshot()
	all := map[string]uint64{}
	for i, z := range s.Zones[n:] {
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if t.Zone == n+i && is(z) {
					all[z.Name] += t.Calls
				}
			}
		}
	}
	return all
}

func expect(t *testing.T, what string, got, want map[string]uint64) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestEachMethodIsAZone(t *testing.T) {
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	before := len(strobe.TakeSnapshot().Zones)
	o := Options{Streams: []string{"/test.Echo/Watch"}}
	conn, stop := serve(t, ServerOptions(o), DialOptions(o))
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ctx := metadata.AppendToOutgoingContext(t.Context(), "traceparent", trace)
	for range 3 {
		out := new(text)
		if err := conn.Invoke(ctx, "/test.Echo/Once", wrapperspb.String("hello"), out); err != nil || out.Value != "hello" {
			t.Errorf("%q, %v", out.Value, err)
		}
	}
	if err := conn.Invoke(t.Context(), "/test.Echo/Once", wrapperspb.String("fail"), new(text)); status.Code(err) != codes.NotFound {
		t.Errorf("error %v", err)
	}
	for _, c := range []struct {
		desc   grpc.StreamDesc
		method string
		n      int
		want   string
	}{
		{grpc.StreamDesc{ServerStreams: true}, "/test.Echo/Down", 1, "[0 0]"},
		{grpc.StreamDesc{ClientStreams: true}, "/test.Echo/Up", 3, "[2]"},
		{grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test.Echo/Both", 2, "[0 1]"},
		{grpc.StreamDesc{ServerStreams: true}, "/test.Echo/Watch", 1, "[]"},
	} {
		got, err := converse(t, conn, c.desc, c.method, c.n)
		if fmt.Sprint(got) != c.want && c.method != "/test.Echo/Watch" || err != nil {
			t.Errorf("%s: %q, %v", c.method, got, err)
		}
	}
	stop()
	expect(t, "units", calls(before, func(z profile.ZoneInfo) bool { return z.Root }), map[string]uint64{"/test.Echo/Once": 4, "/test.Echo/Down": 1, "/test.Echo/Up": 1})
	waits := calls(before, func(z profile.ZoneInfo) bool { return z.Wait })
	for zone, n := range map[string]uint64{"/test.Echo/Both (stream)": 1, "/test.Echo/Watch (stream)": 1, "grpc /test.Echo/Once": 4, "grpc /test.Echo/Down": 1,
		"grpc /test.Echo/Both": 1, "/test.Echo/Down (messages)": 3, "/test.Echo/Up (messages)": 5, "grpc /test.Echo/Down (messages)": 4} {
		if waits[zone] != n {
			t.Errorf("%s: %d calls, want %d", zone, waits[zone], n)
		}
	}
	notes, links := 0, 0
	for _, e := range strobe.TakeTimeline().Events {
		switch {
		case e.Kind == profile.NoteEvent && e.Name == "trace" && e.Text == trace:
			notes++
		case e.Kind == profile.LinkEvent:
			links++
		}
	}
	if notes != 3 || links < 4 {
		t.Errorf("%d notes, %d links", notes, links)
	}
}

func TestInventedMethodsAreBounded(t *testing.T) {
	before := len(strobe.TakeSnapshot().Zones)
	conn, stop := serve(t, ServerOptions(Options{Methods: 2}), nil)
	for i := range 5 {
		if got, err := converse(t, conn, grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, fmt.Sprint("/invented/", i), 1); err != nil || len(got) != 1 {
			t.Errorf("%q, %v", got, err)
		}
	}
	stop()
	expect(t, "waits", calls(before, func(z profile.ZoneInfo) bool { return z.Wait }), map[string]uint64{
		"/invented/0 (stream)": 1, "/invented/1 (stream)": 1, "(other methods) (stream)": 3,
		"/invented/0 (messages)": 3, "/invented/1 (messages)": 3, "(other methods) (messages)": 9,
	})
}

func TestAPanicEndsTheUnit(t *testing.T) {
	before := len(strobe.TakeSnapshot().Zones)
	var recovered any
	recovering := func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (_ any, err error) {
		defer func() { recovered = recover() }()
		return handle(ctx, request)
	}
	panicking := func(context.Context, any, *grpc.UnaryServerInfo, grpc.UnaryHandler) (any, error) { panic("planted") }
	so := append([]grpc.ServerOption{grpc.ChainUnaryInterceptor(recovering)}, ServerOptions(Options{})...)
	conn, stop := serve(t, append(so, grpc.ChainUnaryInterceptor(panicking)), nil)
	conn.Invoke(t.Context(), "/test.Echo/Once", wrapperspb.String("x"), new(text))
	stop()
	if recovered != "planted" {
		t.Errorf("recovered %v", recovered)
	}
	expect(t, "units", calls(before, func(z profile.ZoneInfo) bool { return z.Root }), map[string]uint64{"/test.Echo/Once": 1})
}

func BenchmarkUnary(b *testing.B) {
	for _, way := range []string{"bare", "zones"} {
		b.Run(way, func(b *testing.B) {
			var so []grpc.ServerOption
			var do []grpc.DialOption
			if way == "zones" {
				so, do = ServerOptions(Options{}), DialOptions(Options{})
			}
			conn, stop := serve(b, so, do)
			defer stop()
			in, out := wrapperspb.String("hello"), new(text)
			for b.Loop() {
				if err := conn.Invoke(context.Background(), "/test.Echo/Once", in, out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

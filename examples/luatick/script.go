// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// errExit is the error of a script that calls os.exit. The real os.exit would end the program and lose the measurements.
var errExit = errors.New("the script called os.exit")

// A script is a Lua program whose tick can be called.
type script struct {
	state *lua.LState
	fn    *lua.LFunction
	args  bool // fn takes the number of the tick
	n     int  // ticks begun
	exit  bool // os.exit was called
}

// load reads and compiles the script at path. When ctx ends, so does any call.
func load(ctx context.Context, path string) (*script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("cannot read the script %s: %w", path, err)
	}
	chunk, err := parse.Parse(strings.NewReader(string(text)), path)
	if err != nil {
		return nil, fmt.Errorf("the script does not compile: %s", oneLine(err))
	}
	proto, err := lua.Compile(chunk, path)
	if err != nil {
		return nil, fmt.Errorf("the script does not compile: %s", oneLine(err))
	}
	s := &script{state: lua.NewState()}
	s.state.SetContext(ctx)
	if lib, ok := s.state.GetGlobal("os").(*lua.LTable); ok {
		lib.RawSetString("exit", s.state.NewFunction(func(l *lua.LState) int {
			s.exit = true
			l.RaiseError("os.exit")
			return 0
		}))
	}
	s.fn = s.state.NewFunctionFromProto(proto)
	return s, nil
}

// begin runs the script for the first time, and finds the function tick if it defines one.
func (s *script) begin() error {
	if err := s.call(); err != nil {
		return err
	}
	if fn, ok := s.state.GetGlobal("tick").(*lua.LFunction); ok {
		s.fn, s.args = fn, true
	}
	return nil
}

// tick calls the script's tick.
func (s *script) tick() error {
	s.n++
	if s.args {
		return s.call(lua.LNumber(s.n))
	}
	return s.call()
}

func (s *script) call(args ...lua.LValue) error {
	err := s.state.CallByParam(lua.P{Fn: s.fn, Protect: true}, args...)
	if s.exit {
		return errExit
	}
	if err != nil {
		return errors.New(oneLine(err))
	}
	return nil
}

// where describes the function called last.
func (s *script) where() string {
	if s.n == 0 {
		return "the script, before its first tick,"
	}
	return fmt.Sprintf("tick %d", s.n)
}

func (s *script) close() { s.state.Close() }

// oneLine drops the stack trace from an error of Lua.
func oneLine(err error) string {
	text := err.Error()
	if api := (*lua.ApiError)(nil); errors.As(err, &api) && api.Object != nil {
		text = api.Object.String()
	}
	return strings.Join(strings.Fields(text), " ")
}

// SPDX-License-Identifier: BSD-3-Clause

// Package cli runs a command made of verbs: it parses the arguments, runs the verb and returns the exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Run runs the command without its process, and returns the exit code. It is that of the verb, even if the results are not read:
// it is not an error if their reader ends early. A session.Exit is the exit code in any case.
func Run(ctx context.Context, verbs []Verb, args []string, in io.Reader, out, errw io.Writer) int {
	results := &session.Output{W: out}
	s := &session.Session{Ctx: ctx, In: in, Out: results, Err: errw, Width: session.Width(out)}
	err := dispatch(s, verbs, args, session.IsTerminal(out))
	if exit := session.Exit(0); errors.As(err, &exit) {
		return int(exit)
	}
	code := session.CodeOf(err)
	if err != nil && !s.Interrupted() {
		s.Warn("%v", err)
	}
	if results.Err != nil && !session.IsClosedPipe(results.Err) {
		s.Warn("cannot write the results: %v", results.Err)
		if code == session.Done {
			code = session.Unwritten
		}
	}
	if session.LeadsNowhere(out) {
		s.Warn("standard output is closed or discarded: the results are lost; use >/dev/null if you want that")
	}
	if s.Interrupted() {
		return session.Interrupted
	}
	return code
}

// A Verb is one row of the command's table.
type Verb struct {
	Name    string
	Summary string // one line of help
	Command any    // pointer to a struct of flags, with Run(*session.Session) error; for longer help, Help() string; for arguments after --, TakeRest([]string)
}

// A root has the flags of every verb.
type root struct {
	JSON    bool        `name:"json" help:"Print one JSON object (\"schema\": 1) instead of text."`
	NoColor bool        `name:"no-color" help:"Print without colours, as with NO_COLOR=1."`
	Help    helpFlag    `short:"h" help:"Show the help of the command or of a verb."`
	Version versionFlag `help:"Print the version."`
}

var (
	errHelp    = errors.New("help wanted")
	errVersion = errors.New("version wanted")
)

type helpFlag bool

func (helpFlag) BeforeReset() error { return errHelp }

type versionFlag bool

func (versionFlag) BeforeReset() error { return errVersion }

// dispatch parses args and runs the verb.
func dispatch(s *session.Session, verbs []Verb, args []string, terminal bool) error {
	var r root
	options := []kong.Option{kong.Name("strobe"), kong.NoDefaultHelp(), kong.WithHyphenPrefixedParameters(true), kong.NamedMapper("words", wordsMapper{}),
		kong.KindMapper(reflect.String, kong.MapperFunc(decodeText))}
	for _, v := range verbs {
		options = append(options, kong.DynamicCommand(v.Name, v.Summary, "", v.Command))
	}
	parser, err := kong.New(&r, options...)
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	if len(args) == 0 {
		return writeHelp(s.Out, parser.Model, nil)
	}
	args = goFlags(parser.Model, takeRest(verbs, args))
	ctx, err := parser.Parse(args)
	if wrong := (*kong.ParseError)(nil); errors.As(err, &wrong) {
		verb := wrong.Context.Selected()
		switch {
		case errors.Is(err, errVersion):
			_, err := fmt.Fprintln(s.Out, "strobe", session.Version())
			return err
		case errors.Is(err, errHelp) || wantsHelp(args):
			return writeHelp(s.Out, parser.Model, verb)
		}
		return explain(s, wrong.Error(), verb)
	}
	if err != nil {
		return err
	}
	s.Verb, s.JSON, s.Color = ctx.Selected().Name, r.JSON, terminal && !r.NoColor && session.WantsColor()
	return ctx.Run(s)
}

// takeRest gives what follows -- to the verb if it has a method for that, and returns the arguments before it. The parser would take it
// for arguments of the verb, and only if there are no others.
func takeRest(verbs []Verb, args []string) []string {
	at := slices.Index(args, "--")
	first := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if at < 0 || first < 0 || first > at {
		return args
	}
	for _, v := range verbs {
		if c, ok := v.Command.(interface{ TakeRest(args []string) }); ok && v.Name == args[first] {
			c.TakeRest(args[at+1:])
			return args[:at]
		}
	}
	return args
}

// wantsHelp reports whether invalid arguments include a request for help.
func wantsHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "--help", "-h":
			return true
		case "--":
			return false
		}
	}
	return false
}

// explain converts the parser's error to a line that says what is wrong, where, and what to do.
func explain(s *session.Session, text string, verb *kong.Node) error {
	if argument, what, ok := strings.Cut(text, ">]: "); ok && strings.HasPrefix(argument, "[<") {
		text = argument[len("[<"):] + ": " + what
	}
	if verb != nil {
		s.Verb = verb.Name
		return fmt.Errorf("%s (see strobe %s --help)", text, verb.Name)
	}
	if unknown, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		name, guess, _ := strings.Cut(unknown, ", ")
		if name == "" || guess == "" {
			return fmt.Errorf("unknown verb %q (strobe --help lists them)", name)
		}
		return fmt.Errorf("unknown verb %q, %s (strobe --help lists them)", name, guess)
	}
	if strings.HasPrefix(text, "expected ") {
		return errors.New("a verb is missing (strobe --help lists them)")
	}
	return fmt.Errorf("%s (see strobe --help)", text)
}

var errMissing = errors.New("missing value")

// wordsMapper reads flags of type:"words": a flag takes all arguments up to the next flag, or with words:"N" just N, which may
// look like flags. Each time that it is given it adds a list to a [][]string.
type wordsMapper struct{}

// decodeText reads a text. The parser itself would accept a flag without a value as one with an empty text.
func decodeText(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().IsEOL() {
		return errMissing
	}
	return ctx.Scan.PopValueInto("string", target.Addr().Interface())
}

// Decode implements kong.Mapper.
func (wordsMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	var words []string
	if n, err := ctx.Value.Tag.GetInt("words"); err == nil {
		for int64(len(words)) < n {
			if ctx.Scan.Peek().IsEOL() {
				return fmt.Errorf("it takes %d values: %s", n, ctx.Value.Tag.PlaceHolder)
			}
			words = append(words, ctx.Scan.Pop().String())
		}
		target.Set(reflect.Append(target, reflect.ValueOf(words)))
		return nil
	}
	for !ctx.Scan.Peek().IsEOL() {
		word := ctx.Scan.Peek().String()
		if !ctx.Scan.Peek().IsValue() && word != "-" { // "-" is standard input
			break
		}
		ctx.Scan.Pop()
		words = append(words, word)
	}
	if len(words) == 0 {
		return errMissing
	}
	target.Set(reflect.Append(target, reflect.ValueOf(words)))
	return nil
}

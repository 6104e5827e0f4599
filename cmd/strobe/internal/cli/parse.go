// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

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

// wantsHelp reports whether help is asked for among flags that are wrong.
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

// explain turns the parser's error into a line that says where, what, and what to do.
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

// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// goFlags turns flags of the go command, such as -race or -tags x, into values of the flag --go, if the verb has one: -race becomes
// --go=-race. Those after the first argument of the verb are not flags of the verb.
func goFlags(app *kong.Application, args []string) []string {
	at := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if at < 0 {
		return args
	}
	verb := slices.IndexFunc(app.Children, func(n *kong.Node) bool { return n.Name == args[at] })
	if verb < 0 || !slices.ContainsFunc(app.Children[verb].Flags, func(f *kong.Flag) bool { return f.Name == "go" }) {
		return args
	}
	flags := slices.Concat(app.Flags, app.Children[verb].Flags)
	out := slices.Clone(args[:at+1])
	for i := at + 1; i < len(args); i++ {
		a := args[i]
		if a == "--" || !strings.HasPrefix(a, "-") || a == "-" {
			return append(out, args[i:]...)
		}
		own := slices.IndexFunc(flags, func(f *kong.Flag) bool { return named(f, a) })
		value := own < 0 && !isSwitch(a) || own >= 0 && !flags[own].IsBool()
		if own < 0 && !strings.HasPrefix(a, "--") {
			if value && i+1 < len(args) {
				i++
				a += "=" + args[i]
			}
			out = append(out, "--go="+a)
			continue
		}
		out = append(out, a)
		if own >= 0 && value && !strings.Contains(a, "=") && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

// named reports whether an argument is the flag, with or without a value.
func named(f *kong.Flag, arg string) bool {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		given, _, _ := strings.Cut(long, "=")
		return given == f.Name
	}
	return f.Short != 0 && (arg == "-"+string(f.Short) || strings.HasPrefix(arg, "-"+string(f.Short)+"="))
}

// isSwitch reports whether a flag of the go command takes no value after it: it has one, or needs none.
func isSwitch(arg string) bool {
	return strings.Contains(arg, "=") || slices.Contains([]string{"a", "asan", "buildvcs", "cover", "linkshared", "modcacherw", "msan", "n", "race",
		"trimpath", "v", "work", "x"}, arg[1:])
}

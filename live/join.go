// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"regexp"
	"strings"
)

// join returns a single script equivalent to an ES module: each module that it imports becomes a function, after those that
// it imports itself. Comments are left out. join supports only the forms of import and export that the modules use, at the
// beginning of a line.
func join(main string, file func(name string) string) string {
	imports := regexp.MustCompile(`(?m)^import \{ ([^}]*) \} from "\./([\w.]+)";\n`)
	exports := regexp.MustCompile(`(?m)^export ((?:async )?(?:class|const|function) (\w+))`)
	var out strings.Builder
	out.WriteString("{ const modules = {};\n")
	seen := make(map[string]bool)
	var add func(name string)
	add = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		text := file(name)
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			add(m[2])
		}
		var names []string
		for _, m := range exports.FindAllStringSubmatch(text, -1) {
			names = append(names, m[2])
		}
		text = imports.ReplaceAllStringFunc(text, func(line string) string {
			m := imports.FindStringSubmatch(line)
			return "const { " + strings.ReplaceAll(m[1], " as ", ": ") + ` } = modules["` + m[2] + "\"];\n"
		})
		text = bare(exports.ReplaceAllString(text, "$1"))
		out.WriteString(`modules["` + name + "\"] = (() => {\n" + text + "return { " + strings.Join(names, ", ") + " };\n})();\n")
	}
	add(main)
	out.WriteString("}\n")
	return out.String()
}

// bare returns a script without indentation and comments, except for comments at the end of a line that may be in a string. The
// scripts have no string of several lines.
func bare(script string) string {
	return regexp.MustCompile("(?m)^\\s*//.*\n|^[ \t]+| // [^\"'`\n]*$").ReplaceAllString(script, "")
}

// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"fmt"
	"strings"
)

// Packages of the standard library import no others. They call their zones through three exported variables, which the package that is
// built sets as it is initialised; calls before that do not count.

// A hook is a package of the standard library whose zones another package has.
type hook struct {
	path, prefix string // its import path, and that of the names in it
	zones        []made
}

// A made is how a zone is made: after a comment that has its place, by a call of a function of the library.
type made struct{ line, call string }

// words is the type by which spans pass a package that does not know it, as long as it has the same size.
const words = "struct{a,b %[1]s.Pointer;c uint64}"

// install returns imports, and variables, by which a package sets the hooks of others. library is its name for the library.
func install(hooks []hook, library string) (imports, variables string) {
	for i, h := range hooks {
		if i == 0 {
			imports += fmt.Sprintf(";import %sunsafe %q", library, "unsafe")
			pointer := fmt.Sprintf(words, library+"unsafe")
			variables += fmt.Sprintf("_ [0]byte=[%[1]sunsafe.Sizeof(%[1]s.Span{})-%[1]sunsafe.Sizeof(%[2]s{})]byte{};", library, pointer)
		}
		name := fmt.Sprintf("%shook%d", library, i)
		imports += fmt.Sprintf(";import %s %q", name, h.path)
		pointer := library + "unsafe.Pointer"
		word := fmt.Sprintf(words, library+"unsafe")
		var zones []string
		for _, z := range h.zones {
			zones = append(zones, z.line+library+"."+z.call)
		}
		variables += fmt.Sprintf("%[1]sall=[...]*%[2]s.Zone{%[3]s};", name, library, strings.Join(zones, ","))
		variables += fmt.Sprintf("_=func()bool{%[1]s.%[3]sExit=func(a,b %[4]s,c uint64){w:=%[5]s{a,b,c};(*%[2]s.Span)(%[4]s(&w)).Exit()};"+
			"%[1]s.%[3]sDue=func(i int)bool{return %[1]sall[i].Due()};"+
			"%[1]s.%[3]sEnter=func(i int)(%[4]s,%[4]s,uint64){s:=%[1]sall[i].Enter();w:=(*%[5]s)(%[4]s(&s));return w.a,w.b,w.c};return true}();",
			name, library, h.prefix, pointer, word)
	}
	return imports, variables
}

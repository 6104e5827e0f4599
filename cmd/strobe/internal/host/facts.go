// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
)

// Facts returns what explains how clocks, sleeps and counters behave on this machine: a fixed list of files, sysctls and the like, of
// which none has names of users or hosts, addresses or serial numbers. root is "/" in a running system.
func Facts(root string) []Fact {
	rights := "those of a user"
	if os.Geteuid() == 0 {
		rights = "root"
	}
	return append([]Fact{{Name: "rights", Value: rights}}, systemFacts(root)...)
}

// Program returns how this program was built, and the variables of the environment that change Go's runtime.
func Program() (facts []Fact) {
	facts = append(facts, known("go", runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH+" "+runtime.Compiler))
	if info, ok := debug.ReadBuildInfo(); ok {
		facts = append(facts, known("module", info.Main.Path+" "+info.Main.Version))
		for _, m := range info.Deps {
			if slices.Contains([]string{"github.com/strobe-go/strobe", "golang.org/x/sys", "github.com/ebitengine/purego"}, m.Path) { // those that measure
				facts = append(facts, known("requires", m.Path+" "+m.Version))
			}
		}
		for _, s := range info.Settings {
			if slices.Contains([]string{"-tags", "-race", "CGO_ENABLED", "GO386", "GOAMD64", "GOARM", "GOARM64", "vcs.revision", "vcs.modified"}, s.Key) && s.Value != "" {
				facts = append(facts, known(s.Key, s.Value))
			}
		}
	} else {
		facts = append(facts, Fact{Name: "module", Reason: "the program has no build information"})
	}
	for _, name := range []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT"} {
		if value := os.Getenv(name); value != "" {
			facts = append(facts, known(name, value))
		}
	}
	return facts
}

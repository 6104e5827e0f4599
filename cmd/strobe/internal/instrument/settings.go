// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// settings are what the go command says about a program's module.
type settings struct {
	Mod      string `json:"GOMOD"`
	Work     string `json:"GOWORK"`
	Flags    string `json:"GOFLAGS"`
	ModCache string `json:"GOMODCACHE"`
	Root     string `json:"GOROOT"`
	Version  string `json:"GOVERSION"`

	system string // the version of golang.org/x/sys that the program uses; "" if it uses none
}

// module returns the path of the main module; "" if there is none, or several.
func (s settings) module() string {
	text, err := os.ReadFile(s.Mod)
	if s.Work != "" || err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}

// downloaded reports whether the go command was downloaded as a module, so that the standard library lies in the module cache.
func (s settings) downloaded() bool {
	inside, err := filepath.Rel(s.ModCache, s.Root)
	return err == nil && filepath.IsLocal(inside)
}

// joins reports whether the compiler takes file names in line comments as relative to the folder of the file. Before Go 1.27 it left
// them as they are.
func (s settings) joins() bool {
	return !version.IsValid(s.Version) || version.Compare(s.Version, "go1.27") >= 0
}

func settingsOf(ctx context.Context, r Request) (s settings, err error) {
	text, err := r.run(ctx, "env", "-json", "GOMOD", "GOWORK", "GOFLAGS", "GOMODCACHE", "GOROOT", "GOVERSION")
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, err
	}
	if s.Mod == os.DevNull {
		s.Mod = ""
	}
	if s.Work == "off" {
		s.Work = ""
	}
	if r.flag(s, "overlay") != "" {
		return s, errors.New("strobe run has an overlay of its own: run it without -overlay")
	}
	for _, f := range append(strings.Fields(s.Flags), r.Flags...) {
		if name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); strings.HasPrefix(name, "cover") && value != "false" {
			return s, fmt.Errorf("go build -cover reads the sources of a program, not those with zones: leave out -%s", name)
		}
	}
	if file := r.flag(s, "modfile"); file != "" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.Dir, file)
		}
		s.Mod, err = filepath.Abs(file)
	}
	return s, err
}

// flag returns the last value of a flag of the go command, in the request or in GOFLAGS; "" if it is not given.
func (r Request) flag(s settings, name string) (value string) {
	all := append(strings.Fields(s.Flags), r.Flags...)
	for i, f := range all {
		f = strings.TrimLeft(f, "-")
		if v, ok := strings.CutPrefix(f, name+"="); ok {
			value = v
		} else if f == name && i+1 < len(all) {
			value = all[i+1]
		}
	}
	return value
}

// flags returns those of the request, for the build. Package net, which the library needs, uses C if the go command finds a compiler
// for it; with C in the program the runtime no longer notices that all goroutines wait for each other. So a program that has neither
// C nor that package remains without C.
func (b *building) flags() []string {
	flags := slices.Clone(b.request.Flags)
	for _, l := range b.packages {
		if path := l.path(); path == "runtime/cgo" || path == "net" || path == "os/user" {
			return flags
		}
	}
	const pure = "netgo,osusergo"
	for i := len(flags) - 1; i >= 0; i-- {
		if strings.HasPrefix(strings.TrimLeft(flags[i], "-"), "tags=") {
			flags[i] += "," + pure
			return flags
		}
	}
	return append(flags, "-tags="+strings.TrimPrefix(strings.ReplaceAll(b.request.flag(b.settings, "tags"), " ", ",")+","+pure, ","))
}

// before reports whether a version of Go, as in go.mod, is earlier than another one.
func before(a, b string) bool { return version.Compare("go"+a, "go"+b) < 0 }

// vendored returns the file vendor/modules.txt if the go command uses it, and "" otherwise.
func (r Request) vendored(s settings, language string) string {
	if s.Mod == "" || s.Work != "" {
		return ""
	}
	file := filepath.Join(filepath.Dir(s.Mod), "vendor", "modules.txt")
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	if mode := r.flag(s, "mod"); mode != "" && mode != "vendor" || mode == "" && before(language, "1.14") {
		return ""
	}
	return file
}

// hasLibrary reports whether the program's own version of the library is one that instrumented programs can use.
func (r Request) hasLibrary(ctx context.Context) bool {
	text, err := r.run(ctx, append(append([]string{"list", "-m", "-json"}, r.moduleFlags()...), libraryPath)...)
	var own module
	if err != nil || json.Unmarshal(text, &own) != nil || own.Dir == "" {
		return false
	}
	_, err = os.Stat(filepath.Join(own.Dir, "live", "attach"))
	return err == nil
}

// moduleFlags returns those of the request that choose modules.
func (r Request) moduleFlags() (some []string) {
	for _, f := range r.Flags {
		if f := strings.TrimLeft(f, "-"); strings.HasPrefix(f, "mod=") || strings.HasPrefix(f, "modfile=") {
			some = append(some, "-"+f)
		}
	}
	return some
}

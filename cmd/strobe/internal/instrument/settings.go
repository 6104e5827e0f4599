// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// settings are what the go command says about a program's module.
type settings struct {
	Mod      string `json:"GOMOD"`
	Work     string `json:"GOWORK"`
	Flags    string `json:"GOFLAGS"`
	ModCache string `json:"GOMODCACHE"`
	Root     string `json:"GOROOT"`
}

func settingsOf(ctx context.Context, r Request) (s settings, err error) {
	text, err := r.run(ctx, "env", "-json", "GOMOD", "GOWORK", "GOFLAGS", "GOMODCACHE", "GOROOT")
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

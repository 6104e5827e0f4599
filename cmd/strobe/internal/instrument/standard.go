// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"fmt"
	"strings"
)

// rewriteStandard returns the files of a package of the standard library that change, by path, and its hook.
func rewriteStandard(l *listed, files []*source) (map[string][]byte, hook) {
	h := hook{path: l.path(), prefix: "S" + unused(files)[1:]}
	changes := make([][]insertion, len(files))
	for i, s := range files {
		for _, f := range s.functions {
			if f.reason != "" {
				continue
			}
			text := fmt.Sprintf("if %[1]sEnter!=nil&&%[1]sDue(%[2]d){defer %[1]sExit(%[1]sEnter(%[2]d))};", h.prefix, len(h.zones))
			changes[i] = append(changes[i], insertion{at: f.brace + 1, text: text})
			h.zones = append(h.zones, made{s.line(f.position), fmt.Sprintf("%s(%q)", f.constructor(), show(l, f.name))})
		}
	}
	if len(h.zones) == 0 {
		return nil, h
	}
	pointers := h.prefix + "unsafe"
	return finish(l, files, changes, fmt.Sprintf(";import %s %q", pointers, "unsafe"),
		fmt.Sprintf("%[1]sDue func(int)bool;%[1]sEnter func(int)(%[2]s.Pointer,%[2]s.Pointer,uint64);%[1]sExit func(%[2]s.Pointer,%[2]s.Pointer,uint64)", h.prefix, pointers)), h
}

// refusals returns why packages of the standard library cannot get zones, by import paths; the others can.
func refusals(ctx context.Context, r Request, s settings) (map[string]string, error) {
	root, err := libraryRoot(s.ModCache)
	if err != nil {
		return nil, err
	}
	r.Dir = root
	text, err := r.run(ctx, "list", "-deps", ".")
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for path := range strings.FieldsSeq(string(text)) {
		why[path] = "zones are made of its package"
	}
	return why, nil
}

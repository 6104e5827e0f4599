// SPDX-License-Identifier: BSD-3-Clause

package instrument

import "testing"

func TestPatternsMatchPackagesAndFunctions(t *testing.T) {
	http, yaml, sub := &listed{ImportPath: "net/http", Name: "http"}, &listed{ImportPath: "gopkg.in/yaml.v3", Name: "yaml"}, &listed{ImportPath: "net/http/cgi [x.test]", Name: "cgi"}
	main := &listed{ImportPath: "example.com/app/cmd", Name: "main"}
	for _, c := range []struct {
		text     string
		l        *listed
		function string
		want     wish
	}{
		{"net/http", http, "(*conn).serve", yes},
		{"net/http", sub, "Handler", no},
		{"net/http/...", sub, "Handler", yes},
		{"net/http...", http, "Get", yes},
		{"net/http...", sub, "Handler", yes},
		{"net/http.(*conn).serve", http, "(*conn).serve", always},
		{"http.(*conn).serve", http, "(*conn).serve", always},
		{"http.(*conn)...", http, "(*conn).serve", yes},
		{"net/http.(*conn).serve", http, "(*conn).server", no},
		{"net/http.Get", sub, "Get", no},
		{"gopkg.in/yaml.v3", yaml, "Unmarshal", yes},
		{"gopkg.in/yaml.v3.Unmarshal", yaml, "Unmarshal", always},
		{"gopkg.in/yaml.v3 exported", yaml, "(*Decoder).Decode", always},
		{"gopkg.in/yaml.v3 exported", yaml, "(*parser).Decode", no},
		{"gopkg.in/yaml.v3 exported", yaml, "unmarshal", no},
		{"main", main, "main", yes},
		{"./...", main, "main", yes},
		{"../...", main, "main", yes},
		{"./cmd", main, "main.func1", yes},
		{".", main, "main", no},
		{"...Map[...]", yaml, "Map[...]", yes},
	} {
		all, err := patterns([]string{c.text}, "example.com/app")
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].wishFor(c.l, c.function); got != c.want {
			t.Errorf("%q for %s of %s is %v, want %v", c.text, c.function, c.l.ImportPath, got, c.want)
		} else if got != no && !all[0].mayMatch(c.l) {
			t.Errorf("%q excludes package %s", c.text, c.l.ImportPath)
		}
	}
	if all, err := patterns([]string{"a, b exported,", "c"}, ""); err != nil || len(all) != 3 || !all[1].exported {
		t.Errorf("patterns %v, %v", all, err)
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("net/http.(*conn).serve,database/sql...")
	f.Add("PKG exported")
	f.Add("[..., \\ é")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := patterns([]string{text}, "m")
		if err != nil {
			return
		}
		for _, p := range all {
			p.wishFor(&listed{ImportPath: "m/p", Name: "p"}, "(*T).M")
		}
	})
}

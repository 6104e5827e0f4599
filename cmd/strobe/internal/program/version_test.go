// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// proxy returns the address of a folder that has versions of a module with a program, as a proxy of modules has them.
func proxy(t *testing.T, module string, versions ...string) string {
	t.Helper()
	files := map[string]string{module + "/@v/list": strings.Join(versions, "\n") + "\n"}
	for _, v := range versions {
		var text bytes.Buffer
		z := zip.NewWriter(&text)
		for name, content := range map[string]string{"go.mod": "module " + module + "\n\ngo 1.24\n", "cmd/tool/main.go": "package main\n\nfunc main() {}\n"} {
			w, err := z.Create(module + "@" + v + "/" + name)
			if err == nil {
				_, err = w.Write([]byte(content))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		at := module + "/@v/" + v
		files[at+".info"], files[at+".mod"], files[at+".zip"] = `{"Version":"`+v+`"}`, "module "+module+"\n\ngo 1.24\n", text.String()
	}
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(folder(t, files)), "/")
}

func TestAPackageMayHaveAVersion(t *testing.T) {
	const module = "example.com/versioned"
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, cache)
	}
	for name, value := range map[string]string{"GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw", "GONOSUMDB": "*", "GONOSUMCHECK": "1", "GOSUMDB": "off",
		"GOPROXY": proxy(t, module, "v1.0.0", "v1.1.0"), "GOWORK": ""} {
		t.Setenv(name, value)
	}
	t.Chdir(folder(t, map[string]string{"go.mod": "module " + module + "\n\ngo 1.24\n"})) // a module around, which does not count
	resolve := func(target, want string) string {
		t.Helper()
		f := Flags{}
		path, done, err := f.WithVersion(&session.Session{Ctx: t.Context(), Err: new(bytes.Buffer)}, target)
		defer done()
		if err != nil {
			t.Errorf("%s: %v", target, err)
			return ""
		}
		text, err := os.ReadFile(filepath.Join(f.Dir, "go.mod"))
		if path != module+"/cmd/tool" || err != nil || !strings.Contains(string(text), module+" "+want+" ") {
			t.Errorf("%s: %s, %v:\n%s", target, path, err, text)
		}
		return f.Dir
	}
	exact := resolve(module+"/cmd/tool@v1.0.0", "v1.0.0")
	latest := resolve(module+"/cmd/tool@latest", "v1.1.0")
	if exact == latest {
		t.Error("two versions have one module")
	}
	for target, want := range map[string]string{
		module + "/cmd/tool@v1.2.0":  "cannot fetch " + module + "/cmd/tool@v1.2.0: ",
		module + "/cmd/other@v1.1.0": "cannot fetch " + module + "/cmd/other@v1.1.0: ",
		"@v1.0.0":                    "a version belongs to an import path",
		module + "/cmd/tool@":        "a version belongs to an import path",
	} {
		f := Flags{}
		_, done, err := f.WithVersion(&session.Session{Ctx: t.Context(), Err: new(bytes.Buffer)}, target)
		done()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %v, want %s", target, err, want)
		}
	}
	t.Setenv("PATH", "") // so that the go command cannot be asked
	if again := resolve(module+"/cmd/tool@v1.0.0", "v1.0.0"); again != exact {
		t.Errorf("%s, then %s", exact, again)
	}
	for _, target := range []string{"./cmd/tool", "cmd/tool", "../user@host/tool", filepath.Join(cache, "user@host", "tool"), "a@b.go", "."} {
		f := Flags{Dir: "here"}
		if path, _, err := f.WithVersion(nil, target); path != target || f.Dir != "here" || err != nil {
			t.Errorf("%s has no version: %s in %s, %v", target, path, f.Dir, err)
		}
	}
}

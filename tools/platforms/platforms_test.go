// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const first = `{"Platform":"linux/s390x","By":"qemu-s390x 7.2.19","Go":"go1.26.8","Date":"2026-11-24"}` + "\n"

func line(action, pkg, test string) string {
	return `{"Action":"` + action + `","Package":"` + module + pkg + `","Test":"` + test + `"}` + "\n"
}

const root = "" // the path of the package strobe, behind that of the module

func TestARowSaysWhatPassedAndWhatDidNot(t *testing.T) {
	r, err := read(strings.NewReader(first + "go: downloading\n" +
		line("pass", root, "TestA") + line("pass", root, "TestA/sub") + line("skip", root, "TestB") + line("pass", root, "") +
		line("pass", "/clock", "TestC") + line("fail", "/clock", "TestD") + line("fail", "/clock", "") +
		line("pass", "/pace", "TestE") + // never ended
		line("skip", "/empty", "")))
	if err != nil {
		t.Fatal(err)
	}
	const want = "| `linux/s390x` | qemu-s390x 7.2.19 | `strobe` | `clock`, `pace` | 1 | 1 | go1.26.8 | 2026-11-24 |\n"
	if got := r.row(); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestAFileThatDescribesNoRunIsRefused(t *testing.T) {
	for _, text := range []string{"", "x\n", "{}\n", first, line("pass", root, "")} {
		if _, err := read(strings.NewReader(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestRowsOfOtherPlatformsStay(t *testing.T) {
	dir := t.TempDir()
	doc, file := filepath.Join(dir, "platforms.md"), filepath.Join(dir, "run.json")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	others := map[string]string{"js/wasm": "| `js/wasm` | Node | a | none | 1 | 0 | go1.26.1 | 2026-01-01 |\n", "linux/s390x": "| `linux/s390x` | old |\n"}
	write(doc, document(others))
	write(file, first+line("pass", "/stat", "TestA")+line("pass", "/stat", ""))
	if err := update(doc, []string{file}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	rows := parse(string(text))
	if len(rows) != 2 || rows["js/wasm"] != others["js/wasm"] || !strings.Contains(rows["linux/s390x"], "| `stat` | none | 1 | 0 |") {
		t.Errorf("rows %q", rows)
	}
}

// The page of this tree is as this program writes it.
func TestThePageIsAsWritten(t *testing.T) {
	text, err := os.ReadFile("../../docs/platforms.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := parse(string(text))
	if len(rows) == 0 {
		t.Error("the page has no rows")
	}
	if document(rows) != string(text) {
		t.Error("docs/platforms.md was changed by hand\nremedy: ./check platforms")
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// All keys that are sent are documented, and the reverse.
func TestTheProtocolIsTheDocumentedOne(t *testing.T) {
	text, err := os.ReadFile("../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	for section, kinds := range map[string][]any{
		"#### hello":                   {hello{}},
		"#### frames":                  {framesData{}},
		"#### state":                   {stateMessage{}},
		"`snapshot.json` is an object": {snapshotMessage{}},
	} {
		_, part, found := strings.Cut(string(text), section)
		if !found {
			t.Fatalf("no section %s", section)
		}
		part, _, _ = strings.Cut(strings.TrimLeft(part, "\n"), "\n#")
		part, _, _ = strings.Cut(part, "\nA command")
		documented := map[string]bool{}
		for _, row := range regexp.MustCompile("(?m)^\\| (`.*?`) \\|").FindAllStringSubmatch(part, -1) {
			for _, key := range strings.Split(row[1], ", ") {
				documented[strings.Trim(key, "`")] = true
			}
		}
		sent := map[string]bool{}
		for _, kind := range kinds {
			for _, f := range reflect.VisibleFields(reflect.TypeOf(kind)) {
				key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				sent[key] = true
			}
		}
		for key := range sent {
			if !documented[key] {
				t.Errorf("%s: %s is not documented", section, key)
			}
		}
		for key := range documented {
			if !sent[key] {
				t.Errorf("%s: %s is documented and not sent", section, key)
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// processors explains why results are not compared if their names differ only in the number of processors at the end, such as
// "-8" in one file and "-16" in another.
func processors(results []*benchfmt.Result) []string {
	ends, heads := map[string]map[string]bool{}, map[string]map[string]bool{} // by file
	var order []string
	for _, r := range results {
		file, name := r.GetConfig(".file"), string(r.Name)
		if ends[file] == nil {
			ends[file], heads[file] = map[string]bool{}, map[string]bool{}
			order = append(order, file)
		}
		at := strings.LastIndexByte(name, '-')
		if at < 0 || strings.Trim(name[at+1:], "0123456789") != "" {
			at = len(name)
		}
		ends[file][name[at:]], heads[file][name[:at]] = true, true
	}
	for i, file := range order {
		before := slices.IndexFunc(order[:i], func(o string) bool {
			if len(ends[o]) != 1 || len(ends[file]) != 1 || listed(ends[o]) == listed(ends[file]) {
				return false
			}
			for h := range heads[o] {
				if heads[file][h] {
					return true
				}
			}
			return false
		})
		if before >= 0 {
			said := func(file string) string {
				if end := listed(ends[file]); end != "" {
					return "in " + end
				}
				return "in nothing"
			}
			o := order[before]
			return []string{fmt.Sprintf("names end %s in %s and %s in %s, the number of processors: --ignore /gomaxprocs compares them", said(o), o, said(file), file)}
		}
	}
	return nil
}

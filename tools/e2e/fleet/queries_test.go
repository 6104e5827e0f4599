// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"
)

// queries returns the queries in the documents, the dashboard and the alert rules, by their location.
func queries(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(read(t, "contrib/prometheus/alerts.yml"), &alerts); err != nil {
		t.Fatal(err)
	}
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			all["alerts.yml: "+r.Alert] = r.Expr
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read(t, "contrib/prometheus/dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$__rate_interval", "5m", "$job", ".*", "$zone", ".*")
	for _, p := range dashboard.Panels {
		for i, q := range p.Targets {
			all[fmt.Sprintf("dashboard.json: %s, %d", p.Title, i)] = variables.Replace(q.Expr)
		}
	}
	for i, m := range regexp.MustCompile("(?ms)^```promql\n(.*?)^```").FindAllStringSubmatch(string(read(t, "docs/fleet.md")), -1) {
		for j, q := range strings.Split(m[1], "\n\n") {
			all[fmt.Sprintf("docs/fleet.md: block %d, query %d", i+1, j+1)] = q
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d queries were found", len(all))
	}
	return all
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
)

type rule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

type rules struct {
	Groups []struct {
		Name  string
		Rules []rule
	}
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// queries returns all queries in the alert rules, the dashboard and docs/fleet.md, by their location.
func queries(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	var alerts rules
	if err := yaml.UnmarshalStrict([]byte(read(t, "alerts.yml")), &alerts); err != nil {
		t.Fatal(err)
	}
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			if r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" {
				t.Errorf("alerts.yml: %+v has no name, severity or summary", r)
			}
			all["alerts.yml: "+r.Alert] = r.Expr
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for i, q := range p.Targets {
			all[fmt.Sprintf("dashboard.json: %s, %d", p.Title, i)] = strings.NewReplacer("$__rate_interval", "5m", "$job", ".*", "$zone", ".*").Replace(q.Expr)
		}
	}
	for i, b := range blocks(read(t, "..", "..", "docs", "fleet.md"), "promql") {
		for j, q := range strings.Split(b, "\n\n") {
			all[fmt.Sprintf("docs/fleet.md: block %d, query %d", i+1, j+1)] = q
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d queries were found", len(all))
	}
	return all
}

func blocks(markdown, language string) (all []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(markdown, -1) {
		all = append(all, m[1])
	}
	return all
}

var (
	metric  = regexp.MustCompile(`\bstrobe_\w+`)
	labels  = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	groups  = regexp.MustCompile(`\bby \(([^)]*)\)`)
	unquote = regexp.MustCompile(`"[^"]*"`)
)

// Every query uses metrics that the Collector exports, and labels that they have or that the server adds.
func TestQueriesAreAboutMetricsThatExist(t *testing.T) {
	strobe.NewZone("queried").Enter().Exit()
	strobe.Frame("queried")
	c := NewCollector(Options{Version: "1"})
	c.units.read = func(after uint64) []capture.Numbered {
		if after > 0 {
			return nil
		}
		return []capture.Numbered{reported(1, "queried", capture.Lock, 0, 0)}
	}
	all := gather(t, registered(t, c), protobuf)
	known := map[string]bool{"job": true, "instance": true}
	for _, mf := range all {
		for _, m := range mf.GetMetric() {
			for _, l := range m.GetLabel() {
				known[l.GetName()] = true
			}
		}
	}
	for where, q := range queries(t) {
		bare := unquote.ReplaceAllString(q, `""`)
		names := metric.FindAllString(bare, -1)
		if len(names) == 0 {
			t.Errorf("%s: no metric in %s", where, q)
		}
		for _, name := range names {
			if all[name] == nil {
				t.Errorf("%s: there is no %s", where, name)
			}
		}
		used := []string{}
		for _, m := range labels.FindAllStringSubmatch(bare, -1) {
			used = append(used, m[1])
		}
		for _, m := range groups.FindAllStringSubmatch(bare, -1) {
			used = append(used, strings.Split(m[1], ", ")...)
		}
		for _, l := range used {
			if !known[l] {
				t.Errorf("%s: no metric has a label %s", where, l)
			}
		}
	}
}

// Grafana shows exemplars where a query asks for them; only frame times have exemplars.
func TestTheDashboardShowsSlowFrames(t *testing.T) {
	var dashboard struct {
		Panels []struct {
			ID      int
			GridPos struct{ X, Y, W, H int }
			Targets []struct {
				Expr     string
				Exemplar bool
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, "dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	shown := 0
	ids, places := map[int]bool{}, map[[2]int]bool{}
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			if q.Exemplar {
				shown++
				if !strings.Contains(q.Expr, "strobe_frame_duration_seconds") {
					t.Errorf("no exemplars belong to %s", q.Expr)
				}
			}
		}
		place := [2]int{p.GridPos.X, p.GridPos.Y}
		if ids[p.ID] || places[place] || p.GridPos.X%12 != 0 || p.GridPos.Y%8 != 0 || p.GridPos.W != 12 || p.GridPos.H != 8 {
			t.Errorf("panel %d at %v: its number or its place is that of another", p.ID, p.GridPos)
		}
		ids[p.ID], places[place] = true, true
	}
	if shown == 0 {
		t.Error("no panel shows slow frames")
	}
}

func TestScrapeConfigurationIsYAML(t *testing.T) {
	all := blocks(read(t, "..", "..", "docs", "fleet.md"), "yaml")
	if len(all) == 0 {
		t.Fatal("docs/fleet.md has no configuration")
	}
	for _, b := range all {
		var c struct {
			Scrape []map[string]any `yaml:"scrape_configs"`
		}
		if err := yaml.UnmarshalStrict([]byte(b), &c); err != nil || len(c.Scrape) != 1 || c.Scrape[0]["scrape_native_histograms"] != true {
			t.Errorf("%v in\n%s", err, b)
		}
	}
}

// Prometheus's own parser reads the rules and all queries.
func TestPromtoolAcceptsTheQueries(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool, of Debian's package prometheus, is not in PATH: PromQL was not parsed")
	}
	file := "groups:\n- name: all\n  rules:\n"
	n := 0
	for where, q := range queries(t) {
		n++
		file += fmt.Sprintf("  - record: strobe:query%d # %s\n    expr: %q\n", n, where, q)
	}
	path := filepath.Join(t.TempDir(), "queries.yml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"alerts.yml", path} {
		if out, err := exec.Command(promtool, "check", "rules", f).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

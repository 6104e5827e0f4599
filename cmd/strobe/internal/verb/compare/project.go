// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// A view has the results in tables, rows and columns, according to the flags.
type view struct {
	columns []string // labels; the first is the base
	rows    []row    // in the order of tables, and of rows within them
	notes   []string // notes about how results were combined
}

// A row is the values of one row of a table, in one unit.
type row struct {
	table  string            // title of its table: the package and whatever else distinguishes tables
	config map[string]string // the same as keys and values, without the package
	pkg    string
	name   string
	unit   string
	values [][]float64 // by column
}

// A place is the position of a value.
type place struct{ table, row benchproc.Key }

// project sorts results by the projections and the filter of the flags.
func (c *Flags) project(results []*benchfmt.Result) (*view, error) {
	filter, err := benchproc.NewFilter(c.Filter)
	if err != nil {
		return nil, oneLine("--filter", err)
	}
	var p benchproc.ProjectionParser
	parse := func(flag, text string) (made *benchproc.Projection) {
		if err == nil {
			if made, err = p.Parse(text, filter); err != nil {
				err = oneLine(flag, err)
			}
		}
		return made
	}
	rows, columns := parse("--row", c.Row), parse("--col", c.Col)
	parse("--ignore", strings.Join(c.Ignore, ","))
	if err != nil {
		return nil, err
	}
	tables, unit, err := p.ParseWithUnit(c.Table, filter)
	if err != nil {
		return nil, oneLine("--table", err)
	}
	residue := p.Residue()

	results = matching(results, filter, c.Unit)
	column := func(r *benchfmt.Result) benchproc.Key { return columns.Project(r) }
	v := &view{}
	v.settle(results, column)

	cells := map[place]map[benchproc.Key][]float64{}
	rest := map[place]map[benchproc.Key]bool{}
	rowsOf := map[benchproc.Key][]benchproc.Key{} // of each table
	var tableKeys, rowKeys, columnKeys []benchproc.Key
	for _, r := range results {
		k := column(r)
		columnKeys = append(columnKeys, k)
		rowKey := rows.Project(r)
		rowKeys = append(rowKeys, rowKey)
		for i, table := range tables.ProjectValues(r) {
			at := place{table, rowKey}
			if cells[at] == nil {
				cells[at], rest[at] = map[benchproc.Key][]float64{}, map[benchproc.Key]bool{}
				tableKeys = append(tableKeys, table)
				rowsOf[table] = append(rowsOf[table], rowKey)
			}
			cells[at][k] = append(cells[at][k], r.Values[i].Value)
			rest[at][residue.Project(r)] = true
		}
	}
	columnKeys, rowKeys, tableKeys = distinct(columnKeys), distinct(rowKeys), distinct(tableKeys)
	for _, k := range columnKeys {
		v.columns = append(v.columns, k.StringValues())
	}
	telling := differing(tableKeys)
	delete(telling, ".unit")
	if delete(telling, "pkg"); len(telling) > 0 && c.Table == ".config" {
		v.notes = append(v.notes, fmt.Sprintf("%s differs within a file, so such results are compared separately; --ignore makes them one sample", listed(telling)))
	}
	pooled := map[string]bool{}
	rank := map[benchproc.Key]int{}
	for i, k := range rowKeys {
		rank[k] = i
	}
	for _, table := range tableKeys {
		of := rowsOf[table]
		slices.SortFunc(of, func(a, b benchproc.Key) int { return rank[a] - rank[b] })
		for _, rowKey := range of {
			at := place{table, rowKey}
			r := row{name: rowKey.StringValues(), unit: table.Get(unit)}
			r.describe(table, telling)
			for _, k := range columnKeys {
				r.values = append(r.values, cells[at][k])
			}
			v.rows = append(v.rows, r)
			maps.Copy(pooled, differing(slices.Collect(maps.Keys(rest[at]))))
		}
	}
	if len(pooled) > 0 {
		v.notes = append(v.notes, fmt.Sprintf("results that differ in %s are one sample; give these keys to --row, --col or --table to separate them", listed(pooled)))
	}
	return v, nil
}

// oneLine converts an error about a flag to one line. Syntax errors have the text and a mark below it.
func oneLine(flag string, err error) error {
	text := strings.Fields(err.Error())
	return fmt.Errorf("%s: %s", flag, strings.TrimSuffix(strings.Join(text, " "), " ^"))
}

// matching returns the results that match the filter and the units.
func matching(results []*benchfmt.Result, filter *benchproc.Filter, units []string) (kept []*benchfmt.Result) {
	for _, r := range results {
		r = r.Clone()
		m, err := filter.Match(r)
		if err != nil || !m.Apply(r) {
			continue
		}
		if len(units) > 0 {
			r.Values = slices.DeleteFunc(r.Values, func(v benchfmt.Value) bool { return !slices.Contains(units, v.Unit) })
		}
		if len(r.Values) > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// settle removes the keys from .config that have one value within each column, such as the commit or the machine of each file.
// They would keep the columns from being compared.
func (v *view) settle(results []*benchfmt.Result, column func(*benchfmt.Result) benchproc.Key) {
	apart := map[string]bool{}
	for _, key := range configKeys(results) {
		byColumn, all := map[benchproc.Key]string{}, map[string]bool{}
		apart[key] = true
		for _, r := range results {
			k, value := column(r), r.GetConfig(key)
			if first, known := byColumn[k]; known && first != value {
				apart[key] = false
			}
			byColumn[k], all[fmt.Sprintf("%q", value)] = value, true
		}
		apart[key] = apart[key] && len(all) > 1
		if apart[key] && slices.Contains([]string{"cpu", "goos", "goarch"}, key) {
			v.notes = append(v.notes, fmt.Sprintf("%s differs, %s: the machine may be the difference", key, listed(all)))
		}
	}
	for _, r := range results {
		for i := range r.Config {
			if key := r.Config[i].Key; key != "pkg" && apart[key] {
				r.Config[i].File = false
			}
		}
	}
}

// configKeys returns the keys that the files give their results.
func configKeys(results []*benchfmt.Result) []string {
	all := map[string]bool{}
	for _, r := range results {
		for _, c := range r.Config {
			if c.File {
				all[c.Key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// listed writes the keys of a set, sorted.
func listed(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), " and ")
}

// distinct returns each key once, in the order of its projection.
func distinct(keys []benchproc.Key) (once []benchproc.Key) {
	seen := map[benchproc.Key]bool{}
	for _, k := range keys {
		if !seen[k] {
			seen[k], once = true, append(once, k)
		}
	}
	benchproc.SortKeys(once)
	return once
}

// differing returns the fields in which keys differ.
func differing(keys []benchproc.Key) map[string]bool {
	names := map[string]bool{}
	for _, f := range benchproc.NonSingularFields(keys) {
		names[f.Name] = true
	}
	return names
}

// describe sets the title and the configuration from the key of the table: its package, and the fields that distinguish it from
// other tables.
func (r *row) describe(table benchproc.Key, telling map[string]bool) {
	var words []string
	for _, f := range table.Projection().FlattenedFields() {
		value := table.Get(f)
		switch {
		case f.Name == "pkg":
			r.pkg = value
		case telling[f.Name] && value != "":
			if r.config == nil {
				r.config = map[string]string{}
			}
			r.config[f.Name] = value
			words = append(words, f.Name+":"+value)
		}
	}
	r.table = strings.TrimSpace(r.pkg + " " + strings.Join(words, " "))
}

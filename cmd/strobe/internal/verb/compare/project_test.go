// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func TestBlocksOfDifferentMachinesAreComparedApart(t *testing.T) {
	block := func(cpu string, f float64) string {
		return "goos: linux\ncpu: " + cpu + "\n" + goText("A", scaled(f)...)
	}
	old := clitest.Write(t, "old", block("slow", 10)+block("fast", 1))
	fresh := clitest.Write(t, "new", block("slow", 10)+block("fast", 1.2))
	out, _, code := strobe(t, "compare", old, fresh, "--unit=sec/op")
	if code != session.Done || !strings.Contains(out, "cpu:slow sec/op") || !strings.Contains(out, "cpu:fast sec/op") || !strings.Contains(out, "+20.00 %") ||
		strings.Contains(out, "n=20") || !strings.Contains(out, "cpu differs within a file") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, _, _ := strobe(t, "compare", old, fresh, "--unit=sec/op", "--ignore=cpu"); !strings.Contains(out, "n=20") || strings.Contains(out, "within a file") {
		t.Errorf("--ignore=cpu:\n%s", out)
	}
	if out, _, _ := strobe(t, "compare", old, fresh, "--unit=sec/op", "--filter=cpu:fast"); strings.Contains(out, "slow") || !strings.Contains(out, "+20.00 %") {
		t.Errorf("--filter:\n%s", out)
	}
	if out, errout, code := strobe(t, "compare", old, "--col=cpu", "--unit=sec/op"); code != session.Done || !strings.Contains(out, "-90.00 %") || !strings.Contains(out, "  slow ") {
		t.Errorf("one file: exit %d\n%s%s", code, out, errout)
	}
}

func TestRowsAndColumnsAreThoseAskedFor(t *testing.T) {
	text := goText("Encode/format=json/size=1k", scaled(1)...) + goText("Encode/format=gob/size=1k", scaled(3)...) +
		goText("Encode/format=json/size=64", scaled(0.5)...) + goText("Encode/format=gob/size=64", scaled(0.5)...)
	file := clitest.Write(t, "f", text)
	out, errout, code := strobe(t, "compare", file, "--col=/format", "--row=.name /size@num", "--unit=sec/op", "--no-color")
	lines := strings.Split(out, "\n")
	if code != session.Done || !strings.Contains(lines[0], "json") || !strings.Contains(lines[0], "gob") || !strings.HasPrefix(lines[1], "Encode 64") ||
		!strings.HasPrefix(lines[2], "Encode 1k") || !strings.Contains(lines[2], "+200.00 %") || !strings.Contains(lines[3], "+73.21 %") {
		t.Errorf("exit %d\n%s%s", code, out, errout)
	}
	if out, _, _ := strobe(t, "compare", file, "--col=/format", "--row=.name", "--unit=sec/op"); !strings.Contains(strings.Join(strings.Fields(out), " "), "results that differ in /size") && !strings.Contains(out, ".fullname") {
		t.Errorf("pooled sizes are not pointed out:\n%s", out)
	}
	for _, args := range [][]string{{"--filter=(("}, {"--col=@"}, {"--table=.unit"}, {"--filter=.name:/(/"}} {
		out, errout, code := strobe(t, append([]string{"compare", file, file}, args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, args[0][:5]) {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, errout)
		}
	}
	if _, errout, code := strobe(t, "compare", file, file, "--filter=.name:None"); code != session.Usage || !strings.Contains(errout, "no result matches the filter") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestMoreFilesAreEachComparedWithTheFirst(t *testing.T) {
	a, b, c := clitest.Write(t, "a", goText("A", scaled(1)...)), clitest.Write(t, "b", goText("A", scaled(1.2)...)), clitest.Write(t, "c", goText("A", scaled(0.5)...))
	out, _, code := strobe(t, "compare", a, b, c, "--gate=5%", "--no-color")
	if code != session.GateFailed || !strings.Contains(out, "+20.00 %") || !strings.Contains(out, "-50.00 %") || strings.Count(strings.Split(out, "\n")[0], "delta") != 2 {
		t.Errorf("exit %d\n%s", code, out)
	}
	out, _, _ = strobe(t, "compare", a, b, c, "--json")
	var o compareObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || len(o.Columns) != 3 || len(o.Results) != 6 || o.Results[1].Column != c {
		t.Fatalf("%v\n%s", err, out)
	}
	if r := o.Results[0]; !r.Base.Interval.Bounded() || r.Base.Interval.Lo > r.Base.Median || !r.Other.Interval.Bounded() || r.Other.Interval.Hi < r.Other.Median {
		t.Errorf("%+v", r)
	}
	if m := o.Geomeans[0]; len(o.Geomeans) != 6 || m.Ratio == nil || math.Abs(*m.Ratio-1.2) > 1e-9 || m.N != 1 {
		t.Errorf("%+v", o.Geomeans)
	}
}

func TestChangesFromZeroHaveNoGeomean(t *testing.T) {
	zero := func(text string) string { return strings.ReplaceAll(text, " 1 allocs/op", " 0 allocs/op") }
	steady := goText("B", scaled(1)...) + goText("C", scaled(1)...)
	old, fresh := clitest.Write(t, "old", zero(goText("A", scaled(1)...))+steady), clitest.Write(t, "new", goText("A", scaled(1)...)+steady)
	row := func(old, fresh string) string {
		out, _, _ := strobe(t, "compare", old, fresh, "--unit=allocs/op")
		_, after, _ := strings.Cut(out, "geomean")
		return strings.Join(strings.Fields(strings.Split(after, "\n")[0]), " ")
	}
	if got := row(old, fresh); got != "?" {
		t.Errorf("one from 0: %q", got)
	}
	if got := row(old, old); got != "+0.00 %" {
		t.Errorf("from 0 to 0: %q", got)
	}
	if got := row(fresh, fresh); got != "1.000 1.000 +0.00 %" {
		t.Errorf("nothing changed: %q", got)
	}
	out, _, _ := strobe(t, "compare", old, fresh, "--unit=allocs/op", "--json")
	var o compareObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || o.Geomeans[0].Ratio != nil || o.Geomeans[0].Base != nil || o.Geomeans[0].Other == nil {
		t.Errorf("%v %s", err, out)
	}
}

func TestNamesWithOtherNumbersOfProcessorsAreExplained(t *testing.T) {
	a := clitest.Write(t, "a", strings.ReplaceAll(goText("A", scaled(1)...), "-2 ", "-8 "))
	b := clitest.Write(t, "b", strings.ReplaceAll(goText("A", scaled(1.2)...), "-2 ", "-16 "))
	_, errout, code := strobe(t, "compare", a, b)
	if code != session.Usage || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, "in -8 in ") || !strings.Contains(errout, "in -16 in ") ||
		!strings.Contains(errout, "--ignore /gomaxprocs") {
		t.Errorf("exit %d, %q", code, errout)
	}
	if out, _, code := strobe(t, "compare", a, b, "--ignore", "/gomaxprocs"); code != session.Done || !strings.Contains(out, "+20.00 %") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestCompareAsCSV(t *testing.T) {
	a, b := clitest.Write(t, "a", "pkg: m/x\n"+goText("A,B", scaled(1)...)), clitest.Write(t, "b", "pkg: m/x\n"+goText("A,B", scaled(1.2)...))
	out, errout, code := strobe(t, "compare", a, b, "--format=csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != session.Done || err != nil || len(rows) != 4 || errout != "" {
		t.Fatalf("exit %d, %v, %q\n%s", code, err, errout, out)
	}
	r := rows[1]
	if r[0] != "m/x" || r[1] != "A,B-2" || r[2] != "sec/op" || r[4] != "10" || r[8] != "10" || !strings.HasPrefix(r[12], "0.2") && !strings.HasPrefix(r[12], "0.19999") || r[17] != "slower" {
		t.Errorf("%q", r)
	}
}

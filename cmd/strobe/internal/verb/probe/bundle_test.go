// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/perf"
)

// somewhere returns a survey of a machine that is always the same.
func somewhere() *survey {
	v := surveyed()
	v.machine = host.Machine{Strobe: "v1.2.3", Go: "go1.26", OS: "darwin", Arch: "arm64", CPUs: 8, Processor: "Fast One", Kernel: "24.4.0, macOS 15.4"}
	return v
}

// kept returns the file that a bundle becomes.
func kept(t *testing.T, b *bundle, own private) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "machine.json")
	if err := b.keep(&session.Session{Out: new(bytes.Buffer)}, name, own); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestABundleHasTheSurveyAndWhatExplainsIt(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // one is advice of its own
	b := somewhere().bundle(true, time.Date(2026, 1, 2, 23, 0, 0, 0, time.FixedZone("", -3600)))
	if len(b.System) < 2 || len(b.Program) < 2 {
		t.Errorf("%v, %v", b.System, b.Program)
	}
	for _, f := range append(b.System, b.Program...) {
		if f.Name == "" || (f.Value == "") == (f.Reason == "") {
			t.Errorf("%+v", f)
		}
	}
	b.System = []host.Fact{{Name: "hw.tbfrequency", Value: "24000000"}, {Name: "hw.nperflevels", Reason: "no such file or directory"}}
	b.Program = []host.Fact{{Name: "go", Value: "go1.26 darwin/arm64 gc"}}
	clitest.Golden(t, *update, "bundle.json", kept(t, b, nil))
}

func TestABundleDoesNotSayWhoseMachineItIs(t *testing.T) {
	own := private{}.add("/home/alice", "(home)").add("alice", "(user)").add("tower.example.org", "(host)").add("tower", "(host)").add("go", "(user)")
	v := somewhere()
	v.machine.Hypervisor = "Tower"
	v.clocks[4].err = errors.New(`open /home/alice/clock: ALICE on tower.example.org, "tower" \x1b`)
	v.counters = append(v.counters, perf.Value{Event: "x", State: perf.Denied, Reason: "malice is not alice_2, nor towering", Remedy: "ask alice"})
	text := kept(t, v.bundle(false, time.Now()), own)
	if found := regexp.MustCompile(`(?i)\b(alice|tower|example)\b`).FindString(text); found != "" {
		t.Errorf("%s in\n%s", found, text)
	}
	for _, want := range []string{"(home)/clock: (user) on (host), \\\"(host)\\\"", "malice is not (user)_2, nor towering", "ask (user)", `"go": "go1.26"`, `"hypervisor": "(host)"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	var b bundle
	if err := json.Unmarshal([]byte(text), &b); err != nil || b.Probe.Machine.Go != "go1.26" || len(b.Probe.Clocks) != 5 {
		t.Errorf("%v", err)
	}
}

func TestNamesThatIdentifyNobodyStay(t *testing.T) {
	if own := (private{}).add("root", "-").add("Administrator", "-").add("", "-").add("/", "-").add("x", "-"); len(own) != 0 {
		t.Errorf("%v", own)
	}
}

// The bundle of this machine has neither the names here nor what looks like an address or a serial number.
func TestTheBundleOfThisMachineNamesNobody(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("USER", "someuser")
	t.Setenv("GODEBUG", os.Getenv("GODEBUG")+",strobe="+home+"/someuser")
	text := kept(t, (&survey{machine: host.Describe("/", "v1"), counters: perf.Check(perf.Cycles, "faults", "no-such-event")}).bundle(false, time.Now()), here())
	names := []string{home, "someuser"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	if u, err := user.Current(); err == nil && u.Username != "root" {
		names = append(names, u.Username, u.HomeDir)
	}
	if len(names) < 3 || !strings.Contains(text, "strobe=(home)") {
		t.Errorf("%q, %s", names, text)
	}
	unescaped := strings.ReplaceAll(text, `\\`, `\`)
	for _, name := range names {
		if len(private{}.add(name, "")) > 0 && regexp.MustCompile(`(?i)(^|[^a-z0-9])`+regexp.QuoteMeta(name)+`([^a-z0-9]|$)`).MatchString(unescaped) {
			t.Errorf("%q is in the bundle:\n%s", name, text)
		}
	}
	for what, like := range map[string]string{"an IPv4 address": `\b\d+\.\d+\.\d+\.\d+\b`, "a hardware address": `(?i)\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b`,
		"a UUID": `(?i)\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b`, "a serial number": `(?i)\bserial(no)?\b|serial[ _-]?number`} {
		if found := regexp.MustCompile(like).FindString(text); found != "" {
			t.Errorf("%s: %s", what, found)
		}
	}
}

func TestABundleIsBounded(t *testing.T) {
	v := somewhere()
	for range 3000 {
		v.counters = append(v.counters, perf.Value{Event: "a/b/", State: perf.Unsupported, Reason: "r"})
	}
	b := v.bundle(false, time.Now())
	if text := kept(t, b, nil); len(text) > 1<<20 || b.LeftOut != 3005-mostEvents || len(b.Probe.Counters) != mostEvents {
		t.Errorf("%d bytes, %d left out", len(text), b.LeftOut)
	}
}

func TestABundleThatCannotBeWrittenIsNamedBeforeTheSurvey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "no", "machine.json")
	out, errout, code := strobe(t, "probe", "--bundle", name)
	if code != session.Unwritten || out != "" || !strings.Contains(errout, "its folder does not exist") || strings.Count(errout, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
	if out, errout, code := strobe(t, "probe", "--bundle"); code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

func TestAnInterruptedSurveyIsBundledAsSuch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	name := filepath.Join(t.TempDir(), "machine.json")
	var o, e bytes.Buffer
	if code := cli.Run(ctx, verbs(), []string{"probe", "--json", "--bundle", name}, nil, &o, &e); code != session.Interrupted || e.Len() != 0 {
		t.Errorf("exit %d, %q", code, e.String())
	}
	text, err := os.ReadFile(name)
	var b bundle
	if err = errors.Join(err, json.Unmarshal(text, &b)); err != nil || !b.Probe.Interrupted || len(b.Probe.Counters) == 0 || len(b.System) == 0 {
		t.Errorf("%v: %s", err, text)
	}
	var printed probeObject
	if err := json.Unmarshal(o.Bytes(), &printed); err != nil {
		t.Errorf("standard output: %v", err)
	}
}

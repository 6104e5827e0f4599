// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two processes explain a request of the same trace, and send that to a collector of OpenTelemetry. It has both explanations in the
// trace, with the account as events.
func TestACollectorOfOpenTelemetryTakesExplanations(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	collector, address, dir := built(t, "collector"), freePort(t), t.TempDir()
	config, log := filepath.Join(dir, "collector.yaml"), filepath.Join(dir, "log")
	text := fmt.Sprintf("receivers: {otlp: {protocols: {http: {endpoint: %q}}}}\nexporters: {debug: {verbosity: detailed}}\n"+
		"service: {telemetry: {metrics: {level: none}}, pipelines: {traces: {receivers: [otlp], exporters: [debug]}}}\n", address)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.CommandContext(t.Context(), collector, "--config", config)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the context has ended, and with it the collector
	until := func(what string, done func() bool) {
		for end := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				said, _ := os.ReadFile(log)
				t.Fatalf("%s: not within a minute\n%s", what, said)
			}
		}
	}
	until("the collector listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	for range 2 {
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), "FLEET_SLOW=http://"+address+","+trace)
		if text, err := program.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	until("both explanations are in the trace", func() bool {
		said, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, span := range strings.Split(string(said), "\nSpan #")[1:] {
			if strings.Contains(span, "Trace ID       : "+trace) && strings.Contains(span, "Name           : request") &&
				strings.Contains(span, "strobe.sentence: Str(request took ") && strings.Contains(span, "strobe.took_ns: Int(") && strings.Contains(span, "SpanEvent #0") {
				found++
			}
		}
		return found >= 2
	})
}

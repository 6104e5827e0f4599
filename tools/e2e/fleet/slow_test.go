// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
	strobeotel "github.com/strobe-go/strobe/contrib/otel"
)

const slowLeast = 50 * time.Millisecond

// slowProgram handles requests of a trace, of which some wait for a lock, until one of these is explained. It sends the explanation
// to a server.
func slowProgram(url, trace string) error {
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpointURL(url+"/v1/traces"))
	if err != nil {
		return err
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter))
	request := strobe.NewRootZone("request")
	send := strobeotel.Reports(provider)
	explained := make(chan bool, 1)
	capturer := capture.Start(capture.Options{Roots: []*strobe.Zone{request}, Budget: slowLeast / 2, Cost: -1, On: func(r capture.Report) {
		if r.Took < slowLeast {
			return
		}
		send(r)
		select {
		case explained <- true:
		default:
		}
	}})
	defer capturer.Stop()
	var mu sync.Mutex
	handle := func() {
		defer request.Enter().Exit()
		strobe.Note("trace", trace)
		mu.Lock()
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		for range 40 {
			handle()
		}
		mu.Lock()
		time.AfterFunc(slowLeast, mu.Unlock)
		handle()
		select {
		case <-explained:
			return provider.Shutdown(context.Background())
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("no request was explained")
}

// A traceStore is a server that keeps the spans that programs send by OTLP.
type traceStore struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*spans.Span
	bytes int // of all requests
}

func newTraceStore(t *testing.T) *traceStore {
	t.Helper()
	s := new(traceStore)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		var got collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(text, &got)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			http.Error(w, "not traces", http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bytes += len(text)
		for _, of := range got.ResourceSpans {
			for _, in := range of.ScopeSpans {
				s.spans = append(s.spans, in.Spans...)
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func attribute(all []*common.KeyValue, key string) *common.AnyValue {
	for _, a := range all {
		if a.Key == key {
			return a.Value
		}
	}
	return nil
}

// Two processes explain a request of the same trace. Both are found by its ID.
func TestExplanationsOfTwoProcessesAreFoundByTheirTrace(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	store := newTraceStore(t)
	for range 2 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FLEET_SLOW="+store.URL+","+trace)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	store.mu.Lock()
	defer store.mu.Unlock()
	if len(store.spans) < 2 {
		t.Fatalf("%d spans", len(store.spans))
	}
	for _, s := range store.spans {
		took := time.Duration(s.EndTimeUnixNano - s.StartTimeUnixNano)
		if hex.EncodeToString(s.TraceId) != trace || s.Name != "request" || took < slowLeast {
			t.Errorf("%s took %v in trace %x", s.Name, took, s.TraceId)
		}
		sum := time.Duration(0)
		for _, e := range s.Events {
			sum += time.Duration(attribute(e.Attributes, "strobe.took_ns").GetIntValue())
		}
		if sentence := attribute(s.Attributes, "strobe.sentence").GetStringValue(); sum != took || !strings.HasPrefix(sentence, "request took ") {
			t.Errorf("the account of %q adds up to %v, not %v", sentence, sum, took)
		}
	}
	documented(t, store.bytes/len(store.spans))
}

// documented compares the size of an explanation with what docs/fleet.md says that a thousand processes send a day.
func documented(t *testing.T, bytes int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| one (hour|minute) \| ([\d.]+) million \| ([\d.]+) GB \|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != 2 {
		t.Fatalf("docs/fleet.md has %d rows about explanations", len(rows))
	}
	const processes = 1000
	for _, row := range rows {
		perDay := map[string]float64{"hour": 24, "minute": 24 * 60}[row[1]] * processes
		said, _ := strconv.ParseFloat(row[2], 64)
		size, _ := strconv.ParseFloat(row[3], 64)
		if sum := perDay * float64(bytes) / 1e9; said*1e6 < perDay*0.99 || said*1e6 > perDay*1.01 || size < sum/1.5 || size > sum*1.5 {
			t.Errorf("one a %s: docs/fleet.md says %v million and %v GB a day; a span has %d bytes, so it is %.3g GB", row[1], said, size, bytes, sum)
		}
	}
	t.Logf("a span takes %d bytes", bytes)
}

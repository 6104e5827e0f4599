// SPDX-License-Identifier: BSD-3-Clause

package strobevictoria

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/profile/cumulative"
	"github.com/strobe-go/strobe/stat/exphist"
)

// scale is the scale of the buckets: each range is a 16th of an octave.
const scale = 4

// Write writes a snapshot in the text format that VictoriaMetrics imports, with the labels added to every line. It fails if
// the name of a label is invalid or reserved (zone, loop, vmrange), or if w fails.
func Write(w io.Writer, s profile.Snapshot, labels map[string]string) error {
	common, err := encode(labels)
	if err != nil {
		return err
	}
	all := cumulative.New(cumulative.Limits{Buckets: math.MaxInt})
	all.Add(s, time.Now())
	out := writer{bufio.NewWriter(w), common}
	for _, z := range all.Series() {
		zone := `zone=` + quote(z.Name)
		out.line("strobe_zone_calls_total", zone, float64(z.Calls))
		out.line("strobe_zone_seconds_total", zone, z.Total.Seconds())
		if !z.SelfUnknown {
			out.line("strobe_zone_self_seconds_total", zone, z.Self.Seconds())
		}
		out.histogram("strobe_zone_duration_seconds", zone, &z)
	}
	for _, l := range all.Loops() {
		loop := `loop=` + quote(l.Name)
		out.line("strobe_frames_total", loop, float64(l.Calls))
		out.histogram("strobe_frame_duration_seconds", loop, &l)
	}
	if s.Enabled() {
		out.line("strobe_enabled", "", 1)
	} else {
		out.line("strobe_enabled", "", 0)
	}
	return out.Flush()
}

// coarse returns the buckets at the scale that all processes use.
func coarse(b exphist.Buckets) exphist.Buckets {
	by := b.Scale - scale
	if by <= 0 || len(b.Counts) == 0 {
		return b
	}
	out := exphist.Buckets{Scale: scale, Zero: b.Zero, Offset: b.Offset >> by}
	out.Counts = make([]uint64, (b.Offset+len(b.Counts)-1)>>by-out.Offset+1)
	for i, n := range b.Counts {
		out.Counts[(b.Offset+i)>>by-out.Offset] += n
	}
	return out
}

// encode returns the labels in the text format, with a comma before each.
func encode(labels map[string]string) (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if slices.Contains([]string{"zone", "loop", "vmrange"}, name) {
			return "", fmt.Errorf("strobevictoria: label %q is reserved; choose another name", name)
		}
		if !isName(name) {
			return "", fmt.Errorf("strobevictoria: label %q: invalid name; use letters, digits and _, and do not start with a digit", name)
		}
		b.WriteString("," + name + "=" + quote(labels[name]))
	}
	return b.String(), nil
}

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

var escape = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`) })

func quote(s string) string { return `"` + escape().Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"` }

type writer struct {
	*bufio.Writer
	common string
}

// histogram writes the durations of a series, if any are known.
func (w writer) histogram(name, labels string, s *cumulative.Series) {
	if s.N == 0 {
		return
	}
	if s.Buckets.Zero > 0 {
		w.line(name+"_bucket", labels+`,vmrange="0...1.000e-09"`, float64(s.Buckets.Zero))
	}
	b := coarse(s.Buckets)
	for i, n := range b.Counts {
		if lo, hi := b.Bounds(i); n > 0 {
			w.line(name+"_bucket", fmt.Sprintf(`%s,vmrange="%.6e...%.6e"`, labels, lo, hi), float64(n))
		}
	}
	w.line(name+"_sum", labels, s.Sum.Seconds())
	w.line(name+"_count", labels, float64(s.N))
}

func (w writer) line(name, labels string, v float64) {
	w.WriteString(name + "{" + strings.TrimPrefix(labels+w.common, ",") + "} " + strconv.FormatFloat(v, 'g', -1, 64) + "\n")
}

// Push sends a snapshot to the VictoriaMetrics server at base, such as http://127.0.0.1:8428, with the labels added to
// every series. In a cluster, base is the URL of vminsert with the tenant, such as http://vminsert:8480/insert/0/prometheus.
// It returns the errors of Write, and an error if the server does not accept the lines.
func Push(ctx context.Context, base string, s profile.Snapshot, labels map[string]string) error {
	var text bytes.Buffer
	if err := Write(&text, s, labels); err != nil {
		return err
	}
	to, err := url.JoinPath(base, "api/v1/import/prometheus")
	if err != nil {
		return fmt.Errorf("strobevictoria: %w", err)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, to, &text)
	if err != nil {
		return fmt.Errorf("strobevictoria: %w", err)
	}
	q.Header.Set("Content-Type", "text/plain; charset=utf-8")
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return fmt.Errorf("strobevictoria: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		why, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		return fmt.Errorf("strobevictoria: %s answers %s: %s", to, answer.Status, strings.TrimSpace(string(why)))
	}
	return nil
}

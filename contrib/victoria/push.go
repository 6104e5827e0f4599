// SPDX-License-Identifier: BSD-3-Clause

package strobevictoria

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/strobe-go/strobe/profile"
)

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

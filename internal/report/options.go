// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"time"
)

// Options configure reports. Package strobe documents all but Every as ReportOptions.
type Options struct {
	Every time.Duration
	Rows  int
	Lanes bool
	Tree  bool
}

const (
	defaultRows = 24
	soonest     = 10 * time.Millisecond
)

// withDefaults returns the options that are used, and a warning if they differ from those requested.
func (o Options) withDefaults() (_ Options, warning string) {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Every < soonest {
		warning = fmt.Sprintf("reports every %v were requested; the shortest interval is %v", o.Every, soonest)
		o.Every = soonest
	}
	if o.Rows == 0 {
		o.Rows = defaultRows
	}
	return o, warning
}

// fits reports whether that many rows are allowed.
func (o Options) fits(rows int) bool { return o.Rows < 0 || rows <= o.Rows }

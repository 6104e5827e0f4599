// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
)

func duration(d time.Duration) string { return units.Duration(float64(d)) }

// joined returns the parts that are known, separated by commas.
func joined(parts []string) string {
	var known []string
	for _, text := range parts {
		if text != "" {
			known = append(known, text)
		}
	}
	return strings.Join(known, ", ")
}

// place says where a part of the time was spent.
func place(p capture.Part) string {
	zone := ""
	if p.Zone != "" {
		zone = "zone " + p.Zone
	}
	return plain.Text(joined([]string{zone, p.Where, p.By}))
}

// share writes a part as a percentage of the whole; nothing if there is none.
func share(part, whole time.Duration) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

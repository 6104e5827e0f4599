// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// section returns what a changelog says about a version, if it is ready for a release: it needs a dated section of the version that
// is not empty, and nothing may be under Unreleased.
func section(text, version string, today time.Time) (found string, err error) {
	number := strings.TrimPrefix(version, "v")
	at := regexp.MustCompile(`(?m)^## .*\n`).FindAllStringIndex(text, -1)
	for i, h := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		title, body := strings.TrimSpace(text[h[0]:h[1]]), strings.TrimSpace(text[h[1]:end])
		if title == "## [Unreleased]" && body != "" {
			return "", fmt.Errorf("it has unreleased changes: move them into the section of %s", number)
		}
		date, ok := strings.CutPrefix(title, "## ["+number+"]")
		if !ok {
			continue
		}
		day, err := time.Parse(" - 2006-01-02", date)
		switch {
		case err != nil:
			return "", fmt.Errorf("%q does not end with a date: write ## [%s] - %s", title, number, today.Format(time.DateOnly))
		case day.After(today):
			return "", fmt.Errorf("%q is dated in the future", title)
		case body == "":
			return "", fmt.Errorf("%q says nothing", title)
		}
		found = body
	}
	if found == "" {
		return "", fmt.Errorf("it has no section ## [%s] - %s", number, today.Format(time.DateOnly))
	}
	return found, nil
}

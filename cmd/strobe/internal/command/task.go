// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"strconv"
	"strings"
	"time"
)

// A task holds the scheduler's figures of a thread.
type task struct{ ran, queued time.Duration }

// share returns the share of the time that it waited for a processor. ok is false if it is unknown.
func (t task) share() (share float64, ok bool) {
	if t.ran <= 0 || t.queued < 0 {
		return 0, false
	}
	return float64(t.queued) / float64(t.queued+t.ran), true
}

// parseTask reads a line of schedstat: ns on a processor, ns in a queue for one, and turns.
func parseTask(text string) (t task, ok bool) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return task{}, false
	}
	ran, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return task{}, false
	}
	queued, err := strconv.ParseInt(words[1], 10, 64)
	return task{time.Duration(ran), time.Duration(queued)}, err == nil
}

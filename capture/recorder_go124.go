// SPDX-License-Identifier: BSD-3-Clause

//go:build !go1.25

package capture

import (
	"errors"
	"io"
	"time"
)

// A recorder does not exist before Go 1.25.
type recorder struct{}

func startRecorder(int64, time.Duration) (*recorder, error) {
	return nil, errors.New("Go has none before Go 1.25; build the program with a later version")
}

func (*recorder) write(io.Writer) error { return errors.ErrUnsupported }

func (*recorder) stop() {}

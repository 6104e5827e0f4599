// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package pace

import (
	"errors"
	"time"
)

const processTimeStep time.Duration = 0

func processTime() (time.Duration, error) { return 0, errors.ErrUnsupported }

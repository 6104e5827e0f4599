// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"fmt"
	"os"
)

// warn prints a line on standard error.
func warn(format string, args ...any) { fmt.Fprintf(os.Stderr, "strobe: "+format+"\n", args...) }

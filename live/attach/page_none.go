// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_nopage

package attach

import (
	"errors"
	"io"
)

// strobe run builds programs with the tag strobe_nopage whose page nobody will open: without a web server, linking takes half the time.
func servePage(string) (page io.Closer, url string, err error) {
	return nil, "", errors.New("the program was built with the tag strobe_nopage")
}

// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_nopage

package attach

import (
	"errors"
	"io"
)

// servePage is an error: strobe run builds programs without the page, and its web server, if nobody can open it. Linking them takes less
// time.
func servePage(string) (page io.Closer, url string, err error) {
	return nil, "", errors.New("the program was built with the tag strobe_nopage")
}

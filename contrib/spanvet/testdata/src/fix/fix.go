// SPDX-License-Identifier: BSD-3-Clause

package fix

import "github.com/strobe-go/strobe"

func half(z *strobe.Zone, l *strobe.Lane) {
	defer z.Enter()  // want `nothing ends it`
	defer l.Enter(z) // want `nothing ends it`
}

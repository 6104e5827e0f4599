// SPDX-License-Identifier: BSD-3-Clause

package hdrlog_test

import (
	"fmt"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/hdrlog"
)

func ExampleDecode() {
	var h stat.Histogram
	h.RecordN(42, 3)
	back, err := hdrlog.Decode(hdrlog.Encode(&h))
	fmt.Println(back.N(), back.Quantile(0.5), err)
	// Output: 3 42 <nil>
}

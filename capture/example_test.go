// SPDX-License-Identifier: BSD-3-Clause

package capture_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/capture"
)

// The file of a capture is a page that any browser shows, and that programs read.
func ExampleParse() {
	var file bytes.Buffer
	err := capture.Write(&file, capture.Report{Schema: capture.Schema, Root: "request", Unit: "span", Took: 69 * time.Millisecond, Cause: capture.Lock, Where: "main.save (store.go:41)"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := capture.Parse(file.Bytes())
	fmt.Println(r.Root, r.Took, r.Cause, r.Where, err)
	// Output: request 69ms lock main.save (store.go:41) <nil>
}

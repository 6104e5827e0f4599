// SPDX-License-Identifier: BSD-3-Clause

package strobetracy_test

import (
	"fmt"
	"net"

	strobetracy "github.com/strobe-go/strobe/contrib/tracy"
)

func Example() {
	server, err := strobetracy.Serve("127.0.0.1:0", strobetracy.Options{Loop: "main"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	host, _, _ := net.SplitHostPort(server.Addr())
	fmt.Println("start Tracy and connect to", host)
	// Output: start Tracy and connect to 127.0.0.1
}

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"log"

	strobetracy "github.com/strobe-go/strobe/contrib/tracy"
)

func main() {
	server, err := strobetracy.Serve("127.0.0.1:0", strobetracy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	fmt.Println("serving at", server.Addr())
}

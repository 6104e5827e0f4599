// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"

	strobegrpc "github.com/strobe-go/strobe/contrib/grpc"
)

func main() {
	o := strobegrpc.Options{}
	fmt.Println(len(strobegrpc.ServerOptions(o)), "options of a server,", len(strobegrpc.DialOptions(o)), "of a client")
}

// SPDX-License-Identifier: BSD-3-Clause

// Host loads the plugin that its argument names, calls it inside a span, and prints what strobe counted in both.
package main

import (
	"fmt"
	"os"
	"plugin"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

var zHost, zBack = strobe.NewZone("host"), strobe.NewZone("back")

func main() {
	p, err := plugin.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	work, err := p.Lookup("Work")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for range 1000 {
		zHost.Do(func() {
			work.(func(func()))(func() { zBack.Enter().Exit() })
		})
	}
	s := strobe.TakeSnapshot()
	for _, l := range s.Lanes {
		for _, n := range l.Nodes { // host, part in it, and back in part
			fmt.Println(depth(l.Nodes, n), s.Zones[n.Zone].Name, n.Calls)
		}
	}
}

func depth(t profile.Tree, n profile.Node) (d int) {
	for at := n.Parent; at >= 0; at = t[at].Parent {
		d++
	}
	return d
}

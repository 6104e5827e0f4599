// SPDX-License-Identifier: BSD-3-Clause

package main

// base is the function that is to become faster.
const base = `package sum

//go:noinline
func Sum(data []byte) (h uint64) {
	for _, c := range data {
		h = h*31 + uint64(c)
	}
	return h
}
`

const benchmark = `package sum

import "testing"

var data, sink = make([]byte, 4096), uint64(0)

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Sum(data)
	}
}
`

// A change is a try. All but one give the same instructions as base: what a loop keeps of those is noise.
type change struct{ name, source string }

var changes = []change{
	{"a comment", `package sum

// Sum is a hash.
//go:noinline
func Sum(data []byte) (h uint64) {
	for _, c := range data {
		h = h*31 + uint64(c)
	}
	return h
}
`},
	{"other names", `package sum

//go:noinline
func Sum(bytes []byte) (sum uint64) {

	for _, b := range bytes {
		sum = sum*31 + uint64(b)
	}
	return sum
}
`},
	{"two at once", `package sum

//go:noinline
func Sum(data []byte) (h uint64) {
	for len(data) >= 2 {
		h = h*(31*31) + (uint64(data[0])*31 + uint64(data[1]))
		data = data[2:]
	}
	for _, c := range data {
		h = h*31 + uint64(c)
	}
	return h
}
`},
	{"a constant", `package sum

const factor = 1<<5 - 1

//go:noinline
func Sum(data []byte) (h uint64) {
	for _, c := range data {
		h = h*factor + uint64(c)
	}
	return h
}
`},
}

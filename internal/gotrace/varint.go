// SPDX-License-Identifier: BSD-3-Clause

package gotrace

// uvarint reads a number, 7 bits a byte and the low ones first, and returns where the next one begins, or -1 if there is none.
func uvarint(data []byte, at int) (uint64, int) {
	if at < len(data) && data[at] < 0x80 {
		return uint64(data[at]), at + 1
	}
	return longUvarint(data, at)
}

func longUvarint(data []byte, at int) (v uint64, next int) {
	for shift := 0; at < len(data) && shift < 64; shift += 7 {
		b := data[at]
		at++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, at
		}
	}
	return 0, -1
}

// uvarints reads len(to) numbers.
func uvarints(data []byte, at int, to []uint64) int {
	for i := range to {
		if to[i], at = uvarint(data, at); at < 0 {
			return -1
		}
	}
	return at
}

// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"errors"
	"reflect"

	"github.com/alecthomas/kong"
)

// wordsMapper reads flags of type:"words": a flag takes all arguments up to the next flag, and each time that it is given adds
// a list to a [][]string.
type wordsMapper struct{}

// Decode implements kong.Mapper.
func (wordsMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	var words []string
	for !ctx.Scan.Peek().IsEOL() {
		word := ctx.Scan.Peek().String()
		if !ctx.Scan.Peek().IsValue() && word != "-" { // which is standard input
			break
		}
		ctx.Scan.Pop()
		words = append(words, word)
	}
	if len(words) == 0 {
		return errors.New("missing value")
	}
	target.Set(reflect.Append(target, reflect.ValueOf(words)))
	return nil
}

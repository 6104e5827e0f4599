// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

var errMissing = errors.New("missing value")

// wordsMapper reads flags of type:"words": a flag takes all arguments up to the next flag, or with words:"N" just N, which may
// look like flags. Each time that it is given it adds a list to a [][]string.
type wordsMapper struct{}

// decodeText reads a text. The parser alone would take a flag without a value for one with an empty text.
func decodeText(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().IsEOL() {
		return errMissing
	}
	return ctx.Scan.PopValueInto("string", target.Addr().Interface())
}

// Decode implements kong.Mapper.
func (wordsMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	var words []string
	if n, err := ctx.Value.Tag.GetInt("words"); err == nil {
		for int64(len(words)) < n {
			if ctx.Scan.Peek().IsEOL() {
				return fmt.Errorf("it takes %d values: %s", n, ctx.Value.Tag.PlaceHolder)
			}
			words = append(words, ctx.Scan.Pop().String())
		}
		target.Set(reflect.Append(target, reflect.ValueOf(words)))
		return nil
	}
	for !ctx.Scan.Peek().IsEOL() {
		word := ctx.Scan.Peek().String()
		if !ctx.Scan.Peek().IsValue() && word != "-" { // which is standard input
			break
		}
		ctx.Scan.Pop()
		words = append(words, word)
	}
	if len(words) == 0 {
		return errMissing
	}
	target.Set(reflect.Append(target, reflect.ValueOf(words)))
	return nil
}

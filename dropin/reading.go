// SPDX-License-Identifier: BSD-3-Clause

package dropin

import (
	"bufio"
	"reflect"
	"time"

	"github.com/strobe-go/strobe"
)

// Reading returns z if reading from r may wait for the network or for another device, and else a zone that measures nothing, so that a
// span of waiting can be begun before a call of which only r tells whether it waits:
//
//	span := dropin.Reading(wait, r).Enter()
//	n, err := r.Read(buf)
//	span.Exit()
//
// A reader may wait if it has a method SetReadDeadline, as connections, files and pipes have, or if it is the body of a request or a
// response of net/http. A bufio.Reader waits if it has nothing buffered and what it reads from may wait. Of other readers, such as one
// that decompresses, it is not known what a call takes the time for.
func Reading(z *strobe.Zone, r any) *strobe.Zone {
	switch r := r.(type) {
	case deadlines:
		return z
	case *bufio.Reader: // and no other type: what a method of it does is not known
		if r != nil && r.Buffered() == 0 && fromDevice(r) {
			return z
		}
	case nil:
	default:
		if isBody(reflect.TypeOf(r)) {
			return z
		}
	}
	return &none
}

// none measures nothing.
var none strobe.Zone

// deadlines is what readers have that may wait.
type deadlines interface{ SetReadDeadline(time.Time) error }

// isBody reports whether a type is that of a body of net/http. It has no name elsewhere.
func isBody(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "net/http"
}

// fromDevice reports whether what a buffer reads from may wait. Only reflection tells what that is.
func fromDevice(r *bufio.Reader) bool {
	rd := reflect.ValueOf(r).Elem().FieldByName("rd")
	if rd.Kind() == reflect.Interface {
		rd = rd.Elem()
	}
	return rd.IsValid() && (rd.Type().Implements(reflect.TypeFor[deadlines]()) || isBody(rd.Type()))
}

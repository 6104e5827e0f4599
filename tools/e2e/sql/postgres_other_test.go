// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package sql

import "testing"

func startPostgres(t *testing.T) string {
	t.Skip("the server is started on Unix only")
	return ""
}

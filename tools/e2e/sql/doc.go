// SPDX-License-Identifier: BSD-3-Clause

// Package sql tests strobesql with databases: a PostgreSQL server that the tests start, by two drivers, and with the build tag long, which
// ./check long sets, SQLite.
package sql

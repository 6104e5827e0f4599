// SPDX-License-Identifier: BSD-3-Clause

// Package strobesql measures what a program waits for in database/sql: one line, and each query is a wait zone.
//
//	db, err := strobesql.Open("pgx", url, strobesql.Options{}) // instead of sql.Open
//
//	pool := sql.OpenDB(strobesql.WrapConnector(connector, strobesql.Options{}))
//
//	sql.Register("pgx-zones", strobesql.Wrap(stdlib.GetDefaultDriver(), strobesql.Options{}))
//
// # Zones
//
// A call of "SELECT name FROM item WHERE id = ?" is an execution of a query, until the driver returns its result or its rows. Queries that
// differ in literals, parameters, the length of lists, comments or spaces share a zone: see Normalize. A call of
// "SELECT name FROM item WHERE id = ? (rows)" is one of Rows.Next or Rows.Close, so that its number is about that of the rows. When
// drivers wait for the server differs: some have received the first rows when the query returns, others nothing.
//
// What belongs to no query, or to all, is in "sql connect", "sql prepare", "sql begin", "sql commit", "sql rollback", "sql ping" and
// "sql reset".
// That the program waits for a connection of its pool, because all are in use, happens outside of the driver, and is in no zone
// of this package: see sql.DBStats.
//
// A query is part of the unit whose task its context carries, on any goroutine, and of the spans around it on its own.
//
// # Drivers do what they do
//
// database/sql asks a driver for optional interfaces, and does something else where they are missing. What is wrapped has an
// interface where the driver has it, or one that does what database/sql would do without. Conn.Raw gets the wrapped connection,
// whose method Unwrap returns the driver's:
//
//	conn.Raw(func(c any) error {
//		c = c.(interface{ Unwrap() driver.Conn }).Unwrap()
//		...
//	})
//
// With -tags strobe_off, drivers and connectors are not wrapped, and there is no such method.
package strobesql

// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"

	"github.com/strobe-go/strobe"
)

// Open is sql.Open with zones. Errors are those of sql.Open.
func Open(driverName, dataSourceName string, o Options) (*sql.DB, error) {
	db, err := sql.Open(driverName, dataSourceName)
	if err != nil || !strobe.Enabled {
		return db, err
	}
	d := db.Driver()
	if err := db.Close(); err != nil { // it has not connected
		return nil, err
	}
	c, err := wrapped{d, newQueries(o)}.OpenConnector(dataSourceName)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}

// Wrap returns a driver that measures d, for sql.Register.
func Wrap(d driver.Driver, o Options) driver.Driver {
	if !strobe.Enabled {
		return d
	}
	return wrapped{d, newQueries(o)}
}

// WrapConnector returns a connector that measures the connections of c, for sql.OpenDB. Its driver is the one of c.
func WrapConnector(c driver.Connector, o Options) driver.Connector {
	if !strobe.Enabled {
		return c
	}
	return connector{c, newQueries(o)}
}

type wrapped struct {
	driver.Driver
	queries *queries
}

func (w wrapped) Open(name string) (driver.Conn, error) {
	defer zConnect.Enter().Exit()
	return w.queries.conn(w.Driver.Open(name))
}

func (w wrapped) OpenConnector(name string) (driver.Connector, error) {
	d, ok := w.Driver.(driver.DriverContext)
	if !ok {
		return connector{opener{w.Driver, name}, w.queries}, nil
	}
	c, err := d.OpenConnector(name)
	if err != nil {
		return nil, err
	}
	return connector{c, w.queries}, nil
}

// An opener is the connector of a driver that has none.
type opener struct {
	driver driver.Driver
	name   string
}

func (o opener) Connect(context.Context) (driver.Conn, error) { return o.driver.Open(o.name) }
func (o opener) Driver() driver.Driver                        { return o.driver }

type connector struct {
	driver.Connector
	queries *queries
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	defer strobe.TaskFromContext(ctx).Enter(zConnect).Exit()
	return c.queries.conn(c.Connector.Connect(ctx))
}

// Close is called by DB.Close.
func (c connector) Close() error {
	if c, ok := c.Connector.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

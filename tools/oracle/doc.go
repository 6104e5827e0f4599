// SPDX-License-Identifier: BSD-3-Clause

// Package oracle compares packages of strobe with other libraries. It contains only tests, and is a separate module so that
// importers of strobe do not get its dependencies.
package oracle

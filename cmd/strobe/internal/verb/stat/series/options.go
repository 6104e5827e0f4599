// SPDX-License-Identifier: BSD-3-Clause

package series

// Options say what to read, and what results will be needed.
type Options struct {
	Column    string                          // name of a column of a table; empty means one number per line
	Quantiles []float64                       // that will be needed, each above 0 and below 1
	Keep      int                             // how many samples to keep; 0 means the constant Keep
	Stored    bool                            // more samples than that are an error
	Progress  func(lines uint64, bytes int64) // called now and then; may be nil
}

// SPDX-License-Identifier: BSD-3-Clause

// Package recorder keeps the latest spans and marks of a process in a bounded number of bytes.
//
// Lanes write into chunks of 8 KB. A lane whose chunk is full gives it back and takes another; when the bytes are used
// up, that is the chunk that was filled longest ago, whoever filled it. So a lane uses what the others leave, and the
// spans that are kept are the latest of all lanes together. A lock is taken once a chunk, not once a span. Every span
// that is overwritten is counted.
package recorder

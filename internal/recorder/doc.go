// SPDX-License-Identifier: BSD-3-Clause

// Package recorder keeps the latest spans and marks of a process in bounded memory.
//
// Lanes write into chunks of 8 KB. A lane whose chunk is full returns it and takes another; once the memory is used up,
// that is the chunk that was filled longest ago, by any lane. A lane can therefore use what the others do not, and the
// spans that are kept are the latest of all lanes together. A lock is taken once per chunk, not once per span. Every span
// that is overwritten is counted.
package recorder

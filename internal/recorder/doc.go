// SPDX-License-Identifier: BSD-3-Clause

// Package recorder keeps the latest spans and marks of a process in bounded memory.
//
// Lanes write into chunks of 8 KB. A lane whose chunk is full returns it and takes another. Once the memory is used up, it
// gets the chunk that any lane filled longest ago. A lane can therefore use memory that the others do not need, and the
// latest spans of all lanes together are kept. A lock is taken once per chunk, not once per span. Every span that is
// overwritten is counted.
package recorder

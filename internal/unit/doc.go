// SPDX-License-Identifier: BSD-3-Clause

// Package unit puts units together from the readings of a timeline: the calls of root zones, such as requests, each with its own
// call tree, its longest spans and its notes. It also chooses which units a viewer keeps.
//
// A Collector makes units. A Keeper keeps the slowest of them, a random sample, and how many took how long in each second.
//
// # How a unit is found
//
// The spans of a lane are known in the order in which they ended, so the spans inside a root span come before it. The collector
// holds those whose path contains a root zone until that root span ends; all others cost a lookup. Of a unit with very many spans
// the short ones are added up by path. Spans of other lanes that were begun with the task of the unit are held in the same way,
// from their link on. They count up to the end of the unit.
//
// A unit does not depend on when readings were taken, except that what was overwritten before a reading is missing. Then the unit
// says so.
//
// # Concurrency
//
// A Collector and a Keeper belong to one goroutine at a time.
package unit

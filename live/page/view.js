// SPDX-License-Identifier: BSD-3-Clause The state of the view: a window of time, what is chosen in it, and how it is shown.

export class View {
  end = 0; // ns; the right edge of the window
  span = 10e9; // ns
  frozen = false; // the window stays where it is, while frames are still received
  range = null; // [from, to] in ns, dragged
  frame = null; // a copy of the chosen frame
  cloud = null; // [from, to] in ns, dragged: only calls of this duration, in the range
  noted = ""; // search text for notes
  band = [0, Infinity]; // ns; frames outside are left out everywhere
  brush = null; // { zone, lane, lo, hi }: only frames with this time in this zone
  lane = null; // the only lane to show
  apart = false; // lanes apart, or summed
  zone = null; // the zone that is highlighted everywhere
  find = ""; // search text for names
  slow = false; // freeze on a frame over the limit
  limit = 0; // ns; 0: twice the budget
  given = 0; // ns; the budget that the program gave
  usual = 0; // ns; the median frame, if the program gave no budget
  marks = { a: null, b: null }; // bookmarks
  pointer = null; // ns; the time under the pointer

  get chosen() { return Boolean(this.frame || this.range || this.brush || this.zone !== null); }
  // selects returns whether the tables show selected frames rather than all visible ones.
  get selects() { return Boolean(this.range || this.brush); }
  get budget() { return this.given || this.usual || 1e9 / 60; }
  get over() { return this.limit || 2 * this.budget; }
  get from() { return this.end - this.span; }
  // scope returns the stretch of time of the tables.
  get scope() { return this.range || [this.from, this.end]; }
  // filter returns the conditions for frames.
  get filter() { const [from, to] = this.scope; return { from, to, band: this.band, brush: this.brush, cloud: this.cloud }; }
}

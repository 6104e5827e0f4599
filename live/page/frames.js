// SPDX-License-Identifier: BSD-3-Clause The frames that were received, in bounded memory, and the paths of zones that their
// entries refer to.

// A Space numbers the nodes of call trees. `of` leads from a path to its node; -1 means none.
class Space {
  of = []; parent = []; zone = []; lane = [];
  // outer says for each node whether no outer node is of the same zone: times of a zone are sums over these nodes.
  outer = [];

  add(parent, zone, lane) {
    const node = this.zone.push(zone) - 1;
    this.parent.push(parent);
    this.lane.push(lane);
    let p = parent;
    while (p >= 0 && this.zone[p] !== zone) p = this.parent[p];
    this.outer.push(p < 0);
    return node;
  }
}

// Paths are all paths of zones: apart by lane, and summed over lanes.
export class Paths {
  #known; // "parent zone" of a summed node to the node
  constructor() { this.clear(); }
  clear() {
    this.apart = new Space();
    this.summed = new Space();
    this.#known = new Map();
  }

  add(path, lane, parent, zone) {
    const { apart, summed } = this;
    if (apart.of[path] !== undefined) return;
    apart.of[path] = apart.add(parent < 0 ? -1 : apart.of[parent] ?? -1, zone, lane);
    const above = parent < 0 ? -1 : summed.of[parent] ?? -1, key = `${above} ${zone}`;
    if (!this.#known.has(key)) this.#known.set(key, summed.add(above, zone, -1));
    summed.of[path] = this.#known.get(key);
  }
}

// Frames is a ring of frames. They are numbered in the order in which they were received; those in [first, end) are kept.
export class Frames {
  first = 0;
  end = 0;
  hold = Infinity; // frames from this place on are not discarded: new ones are refused instead
  refused = 0;
  worst = []; // copies of the longest frames so far, longest first
  #mask; #entries; #path; #calls; #total; #used = 0;

  constructor({ frames = 20000, entries = 1 << 19, worst = 20 } = {}) {
    this.size = frames;
    this.keep = worst;
    this.numbers = new Float64Array(frames);
    this.starts = new Float64Array(frames);
    this.tooks = new Float64Array(frames);
    this.values = new Float64Array(frames); // drawn and compared: the duration, or the busy time of a slice
    this.from = new Float64Array(frames + 1);
    this.#entries = entries;
    this.#mask = entries - 1;
    this.#path = new Int32Array(entries);
    this.#calls = new Float64Array(entries);
    this.#total = new Float64Array(entries);
  }

  get count() { return this.end - this.first; }
  number(i) { return this.numbers[i % this.size]; }
  start(i) { return this.starts[i % this.size]; }
  took(i) { return this.tooks[i % this.size]; }
  value(i) { return this.values[i % this.size]; }
  last() { return this.count ? this.number(this.end - 1) : -1; }

  // push adds a frame, [number, start, took, path, calls, total, ...], and returns whether it was taken.
  push(flat, value = flat[2]) {
    const n = (flat.length - 3) / 3;
    this.#remember(flat, value);
    while (this.count >= this.size || this.count > 0 && this.#used + n - this.from[this.first % this.size] > this.#entries) {
      if (this.first >= this.hold) { this.refused++; return false; }
      this.first++;
    }
    if (n > this.#entries) return false;
    const at = this.end % this.size;
    [this.numbers[at], this.starts[at], this.tooks[at]] = flat;
    this.values[at] = value;
    this.from[at] = this.#used;
    for (let k = 3; k < flat.length; k += 3) {
      const e = this.#used++ & this.#mask;
      this.#path[e] = flat[k];
      this.#calls[e] = flat[k + 1];
      this.#total[e] = flat[k + 2];
    }
    this.end++;
    return true;
  }

  #remember(flat, value) {
    const w = this.worst;
    if (w.length >= this.keep && value <= w[w.length - 1].value || w.some((f) => f.number === flat[0])) return;
    w.push({ number: flat[0], start: flat[1], took: flat[2], value, flat: flat.slice(3) });
    w.sort((a, b) => b.value - a.value);
    w.length = Math.min(w.length, this.keep);
  }

  // each visits the entries of a frame.
  each(i, visit) {
    const end = i + 1 < this.end ? this.from[(i + 1) % this.size] : this.#used;
    for (let k = this.from[i % this.size]; k < end; k++) { const e = k & this.#mask; visit(this.#path[e], this.#calls[e], this.#total[e]); }
  }

  // copy returns a copy of a frame, which stays when the ring discards the frame.
  copy(i) {
    const flat = [];
    this.each(i, (p, c, t) => flat.push(p, c, t));
    return { number: this.number(i), start: this.start(i), took: this.took(i), value: this.value(i), flat };
  }

  // after returns the place of the first frame that ends after t.
  after(t) { return this.#search((i) => this.start(i) + this.took(i) > t); }
  // place returns the place of a frame, or -1.
  place(number) {
    const i = this.#search((k) => this.number(k) >= number);
    return i < this.end && this.number(i) === number ? i : -1;
  }
  #search(reached) {
    let a = this.first, b = this.end;
    while (a < b) { const m = Math.floor((a + b) / 2); if (reached(m)) b = m; else a = m + 1; }
    return a;
  }

  clear() { this.first = this.end; this.hold = Infinity; }
}

// A Series keeps the latest values of a plot.
export class Series {
  count = 0;
  constructor(size = 20000) { this.size = size; this.ats = new Float64Array(size); this.values = new Float64Array(size); }
  get first() { return Math.max(0, this.count - this.size); }
  at(i) { return this.ats[i % this.size]; }
  value(i) { return this.values[i % this.size]; }
  push(at, value) { this.ats[this.count % this.size] = at; this.values[this.count++ % this.size] = value; }
  // from returns the first value at or after t.
  from(t) {
    let a = this.first, b = this.count;
    while (a < b) { const m = Math.floor((a + b) / 2); if (this.at(m) >= t) b = m; else a = m + 1; }
    return a;
  }
}

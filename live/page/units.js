// SPDX-License-Identifier: BSD-3-Clause
// The units of a root zone that were received: those that were slow, a random sample of the latest minute, and how many took how
// long. They stand where frames stand for a loop. On the axis of time a unit is where it ended.

const OLDEST = 3600e9; // ns; columns are kept for an hour
const CELLS = 16; // in an octave

// range returns the least and the next greater duration of a cell.
export function range(cell) {
  if (cell < 2 * CELLS) return [cell, cell + 1];
  const e = Math.floor(cell / CELLS) - 1, lo = (cell - CELLS * e) * 2 ** e;
  return [lo, lo + 2 ** e];
}

// quantile returns the middle of the cell in which a quantile of the counts of columns lies, and the number of units.
export function quantiles(columns, shares) {
  const by = new Map();
  let n = 0;
  for (const { cells } of columns) for (let k = 0; k < cells.length; k += 2) { by.set(cells[k], (by.get(cells[k]) || 0) + cells[k + 1]); n += cells[k + 1]; }
  const sorted = [...by].sort((a, b) => a[0] - b[0]);
  const at = (share) => {
    let rank = Math.max(1, Math.ceil(share * n));
    for (const [cell, count] of sorted) { if (rank <= count) return (range(cell)[0] + range(cell)[1]) / 2; rank -= count; }
    return NaN;
  };
  return { n, of: shares.map(at) };
}

export class Units {
  first = 0; keep = 20; refused = 0; hold = Infinity;
  latest = 0; // ns; when the program was read
  open = []; // have not ended
  #all = []; #columns = new Map(); #later = []; #worst = null;

  get count() { return this.#all.length; }
  get end() { return this.#all.length; }
  number(i) { return this.#all[i].number; }
  start(i) { return this.#all[i].end; }
  took() { return 0; }
  value(i) { return this.#all[i].value; }
  slow(i) { return this.#all[i].slow; }
  sampled(i) { return this.#all[i].sampled; }
  copy(i) { return this.#all[i]; }
  last() { return -1; }
  each(i, visit) { const { flat } = this.#all[i]; for (let k = 0; k < flat.length; k += 3) visit(flat[k], flat[k + 1], flat[k + 2]); }

  // worst returns the slowest units.
  get worst() { return (this.#worst ??= this.#all.filter((u) => u.slow).sort((a, b) => b.value - a.value).slice(0, this.keep)); }

  // take adds the content of a message. What is gone stays while something is looked at.
  take(m, frozen) {
    this.latest = Math.max(this.latest, m.at_ns);
    if (m.reset) { this.clear(); this.latest = m.at_ns; }
    if (m.units) this.#add(m.units.map(unit));
    this.#later.push(...(m.gone || []));
    for (const number of m.unsampled || []) { const u = this.#all[this.place(number)]; if (u) u.sampled = false; }
    for (const [from, width, ...cells] of m.columns || []) {
      this.#columns.delete(from); // the latest are the last
      this.#columns.set(from, { from, width, cells });
    }
    if (!frozen && this.#later.length) this.#drop(new Set(this.#later.splice(0)));
    for (const from of this.#columns.keys()) if (from < this.latest - OLDEST) this.#columns.delete(from);
  }

  #add(list) {
    const news = new Map(list.map((u) => [u.number, u]));
    this.#all = [...this.#all.filter((u) => !news.has(u.number)), ...list].sort((a, b) => a.end - b.end);
    this.#worst = null;
  }

  #drop(gone) { this.#all = this.#all.filter((u) => !gone.has(u.number)); this.#worst = null; }

  // columns returns the counts that lie in a stretch of time.
  columns(from, to) { return [...this.#columns.values()].filter((c) => c.from + c.width > from && c.from < to); }

  // running sets the units that have not ended.
  running(list) { this.open = list.map(unit).map((u) => ({ ...u, open: true })); }

  // sample returns the places of the random sample, without one unit.
  sample(number) { const out = []; this.#all.forEach((u, i) => { if (u.sampled && u.number !== number) out.push(i); }); return out; }

  // next returns the place of the slow unit that ended after, or before, the one at a place.
  next(i, by) { for (let k = i + by; k >= 0 && k < this.end; k += by) if (this.#all[k].slow) return k; return i; }

  // after returns the place of the first unit that ended after t.
  after(t) { let a = 0, b = this.end; while (a < b) { const m = (a + b) >> 1; if (this.#all[m].end > t) b = m; else a = m + 1; } return a; }
  place(number) { return this.#all.findIndex((u) => u.number === number); }
  clear() { this.#all = []; this.#columns.clear(); this.#later = []; this.#worst = null; this.open = []; this.hold = Infinity; this.latest = 0; }
}

// unit returns a unit as it is used, in the form of a frame.
function unit([number, start, took, lane, goroutine, slow, sampled, notes, ...flat]) {
  const pairs = [];
  for (let k = 0; k + 1 < notes.length; k += 2) pairs.push([notes[k], notes[k + 1]]);
  return { number, start, took, end: start + took, value: took, lane, goroutine, slow: slow > 0, sampled: sampled > 0, notes: pairs, flat };
}

// noted writes the notes of a unit.
export const noted = (u) => (u.notes || []).map(([key, value]) => (key ? `${key}=${value}` : value)).join(" ");

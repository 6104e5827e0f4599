// SPDX-License-Identifier: BSD-3-Clause
// The spans of a frame: in rows by depth, as rectangles in a window of time, and the arithmetic of that window. Times are ns
// since the frame began.

const SLACK = 500; // ns by which spans in a row may overlap: their instants are rounded
const LEAST = 20; // ns that a window shows at least

// lay returns rows of spans that do not overlap, by depth, from [path, start, duration, ...] by start. apart knows the paths.
// The end of a span is Infinity if it is unknown.
export function lay(flat, apart) {
  const rows = [], depths = new Map();
  const depth = (node) => {
    if (node < 0) return 0;
    if (!depths.has(node)) depths.set(node, apart.parent[node] < 0 ? 0 : 1 + depth(apart.parent[node]));
    return depths.get(node);
  };
  for (let k = 0; k < flat.length; k += 3) {
    const node = apart.of[flat[k]] ?? -1, start = flat[k + 1], end = flat[k + 2] === null ? Infinity : start + flat[k + 2];
    let r = depth(node);
    while (rows[r]?.end.length && rows[r].end[rows[r].end.length - 1] > start + SLACK) r++; // all paths beyond the limit have the same number
    while (rows.length <= r) rows.push({ start: [], end: [], node: [] });
    rows[r].start.push(start);
    rows[r].end.push(end);
    rows[r].node.push(node);
  }
  return rows;
}

// from returns the first span of a row that ends after a time.
export function from(row, t) {
  let a = 0, b = row.end.length;
  while (a < b) { const m = (a + b) >> 1; if (row.end[m] > t) b = m; else a = m + 1; }
  return a;
}

// find returns the span of a row at a time, or -1.
export function find(row, t) {
  const i = from(row, t);
  return i < row.start.length && row.start[i] <= t ? i : -1;
}

// gap returns the time around t in a row without spans, within [0, whole].
export function gap(row, t, whole) {
  const i = row ? from(row, t) : 0;
  return [row && i > 0 ? Math.max(0, row.end[i - 1]) : 0, row && i < row.start.length ? Math.min(whole, row.start[i]) : whole];
}

// rects returns what of a row to draw in a window that is w pixels wide: a rectangle for each span of a pixel or more, and one
// for neighbours that are shorter and less than a pixel apart: n of them, the longest of which is i, that took busy in all. There
// are at most twice as many rectangles as pixels.
export function rects(row, [lo, hi], w) {
  const out = [], { start, end } = row, per = w / (hi - lo);
  let crowd = null, most = 0;
  for (let i = from(row, lo); i < start.length && start[i] < hi; i++) {
    const a = Math.max(0, (start[i] - lo) * per), b = Math.min(w, (end[i] - lo) * per), d = end[i] - start[i];
    if (b - a >= 1) {
      out.push({ x: a, w: b - a, i, n: 1, busy: d });
      crowd = null;
    } else if (crowd && a - (crowd.x + crowd.w) < 1) {
      crowd.w = b - crowd.x;
      crowd.n++;
      crowd.busy += d;
      if (d > most) { most = d; crowd.i = i; }
    } else {
      out.push(crowd = { x: a, w: b - a, i, n: 1, busy: d });
      most = d;
    }
  }
  return out;
}

// fitted returns a window inside [0, whole] that is at least so long, as close as possible.
export function fitted([lo, hi], whole) {
  const span = Math.min(whole, Math.max(Math.min(LEAST, whole), hi - lo)), a = Math.max(0, Math.min(whole - span, lo + (hi - lo - span) / 2));
  return [a, a + span];
}

// zoom returns the window by times as long, with the time at where it was.
export function zoom([lo, hi], by, at, whole) {
  const span = Math.min(whole, Math.max(Math.min(LEAST, whole), (hi - lo) * by)), a = Math.max(0, Math.min(whole - span, at - ((at - lo) / (hi - lo)) * span));
  return [a, a + span];
}

// pan returns the window moved by a time, as far as there is one.
export function pan([lo, hi], by, whole) {
  const a = Math.max(0, Math.min(whole - (hi - lo), lo + by));
  return [a, a + hi - lo];
}

// own returns the time in a span without those inside, as far as it lies in [0, whole].
export function own(rows, r, i, whole) {
  const lo = Math.max(0, rows[r].start[i]), hi = Math.min(whole, rows[r].end[i]), below = rows[r + 1];
  let sum = hi - lo;
  for (let k = below ? from(below, lo) : 0; below && k < below.start.length && below.start[k] < hi; k++) sum -= Math.min(hi, below.end[k]) - Math.max(lo, below.start[k]);
  return Math.max(0, sum);
}

// busy returns the time in spans of a row, as far as it lies in [0, whole].
export function busy(row, whole) {
  let sum = 0;
  for (let i = 0; i < row.start.length; i++) sum += Math.max(0, Math.min(whole, row.end[i]) - Math.max(0, row.start[i]));
  return sum;
}

// collections returns the times, [from, to, pause], between two readings of the runtime in which garbage was collected, as far as
// they touch [start, start + whole]. A value of the series is about the time since the one before.
export function collections(series, start, whole) {
  const out = [];
  for (let i = Math.max(series.first + 1, series.from(start)); i < series.count && series.at(i - 1) < start + whole; i++) {
    if (series.value(i)) out.push([series.at(i - 1) - start, series.at(i) - start, series.value(i)]);
  }
  return out;
}

// stamp writes a time as precisely as a window that long is drawn.
export function stamp(t, window) {
  const [per, unit] = page.unit(Math.max(Math.abs(t), window)), places = Math.max(0, Math.min(per === 1 ? 0 : Math.log10(per), Math.ceil(Math.log10((per * 1000) / Math.max(1, window)))));
  return `${(t / per).toFixed(places)} ${unit}`;
}

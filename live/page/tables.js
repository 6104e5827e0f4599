// SPDX-License-Identifier: BSD-3-Clause Computations over frames: which of them count, their call trees, medians, differences,
// and the table of zones.

// time returns the time of a frame in a zone, on all lanes or on one.
export function time(visit, space, zone, lane) {
  let sum = 0;
  visit((path, calls, total) => {
    const node = space.of[path];
    if (space.zone[node] === zone && space.outer[node] && (lane === null || space.lane[node] === lane)) sum += total;
  });
  return sum;
}

// pick returns the places of the frames that lie in [from, to), whose value lies in the band, and whose time in the brushed
// zone lies in the brush.
export function pick(frames, { from, to, band, brush, cloud }, apart) {
  const out = [];
  for (let i = Math.max(frames.first, frames.after(from)); i < frames.end && frames.start(i) < to; i++) {
    const v = frames.value(i);
    if (v < band[0] || v > band[1] || cloud && (v < cloud[0] || v > cloud[1])) continue;
    if (brush) {
      const t = time((visit) => frames.each(i, visit), apart, brush.zone, brush.lane);
      if (t < brush.lo || t > brush.hi) continue;
    }
    out.push(i);
  }
  return out;
}

const empty = (space, n) => ({ n, value: 0, calls: new Float64Array(space.zone.length), total: new Float64Array(space.zone.length) });

// treeOf returns the call tree of a copy of a frame.
export function treeOf(frame, space) {
  const t = empty(space, 1);
  t.value = frame.value;
  for (let k = 0; k < frame.flat.length; k += 3) {
    const node = space.of[frame.flat[k]];
    t.calls[node] += frame.flat[k + 1];
    t.total[node] += frame.flat[k + 2];
  }
  return t;
}

// tree returns the mean call tree of frames.
export function tree(frames, places, space) {
  const t = empty(space, places.length);
  for (const i of places) {
    t.value += frames.value(i);
    frames.each(i, (path, calls, total) => { const node = space.of[path]; t.calls[node] += calls; t.total[node] += total; });
  }
  const n = places.length || 1;
  t.value /= n;
  for (let k = 0; k < t.total.length; k++) { t.calls[k] /= n; t.total[k] /= n; }
  return t;
}

// fold converts a tree over paths, each on its lane, to one over the nodes of a space.
export function fold(apart, paths, space) {
  if (space === paths.apart) return apart;
  const t = empty(space, apart.n);
  t.value = apart.value;
  for (let path = 0; path < paths.apart.of.length; path++) {
    const from = paths.apart.of[path], to = space.of[path];
    if (from === undefined || from >= apart.total.length) continue;
    t.calls[to] += apart.calls[from];
    t.total[to] += apart.total[from];
  }
  return t;
}

// quantile returns the least of sorted values that a share q of them does not exceed.
export const quantile = (sorted, q) => sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)];

// columns returns for each key the values of all frames. key(path) is an index below count, or -1.
function columns(frames, places, count, key) {
  const out = Array.from({ length: count }, () => null), n = places.length;
  for (let k = 0; k < n; k++) {
    frames.each(places[k], (path, calls, total) => {
      const c = key(path);
      if (c >= 0) (out[c] ??= new Float32Array(n))[k] += total;
    });
  }
  return out;
}

// medians returns the tree of the median frame: the median over frames of the time on each path.
export function medians(frames, places, space) {
  const t = empty(space, places.length);
  columns(frames, places, space.zone.length, (path) => space.of[path]).forEach((c, node) => { if (c) t.total[node] = quantile(c.sort(), 0.5); });
  t.value = places.length ? quantile(Float64Array.from(places, (i) => frames.value(i)).sort(), 0.5) : 0;
  return t;
}

// self returns the time of each node without its children.
export function self(tree, space) {
  const out = Float64Array.from(tree.total);
  for (let k = 0; k < out.length; k++) if (space.parent[k] >= 0) out[space.parent[k]] -= tree.total[k];
  return out;
}

// around returns the places of up to n frames around one, which represent what is usual there; the latest ones if the frame is no
// longer kept.
export function around(frames, number, n = 2000) {
  const at = frames.place(number), mid = at < 0 ? frames.end : at;
  const from = Math.max(frames.first, Math.min(mid - n / 2, frames.end - n));
  const out = [];
  for (let i = from; i < Math.min(frames.end, from + n); i++) if (i !== at) out.push(i);
  return out;
}

// outside returns the time of a tree outside any zone of a lane, that of the loop. space is the one with lanes apart.
export function outside(tree, space, lane) {
  return tree.value - tree.total.reduce((s, v, node) => s + (space.parent[node] < 0 && space.lane[node] === lane ? v : 0), 0);
}

// differences returns by how much the nodes of a tree differ from those of another, first the node whose own time explains
// most. free is the time outside any zone in both, node -1; null if unknown.
export function differences(tree, base, space, free) {
  const a = self(tree, space), b = self(base, space), out = [], sign = tree.value >= base.value ? 1 : -1;
  for (let node = 0; node < space.zone.length; node++) {
    const now = tree.total[node] || 0, was = base.total[node] || 0; // a tree may be older than a node
    if (now || was) out.push({ node, now, base: was, own: (a[node] || 0) - (b[node] || 0) });
  }
  if (free) out.push({ node: -1, now: free[0], base: free[1], own: free[0] - free[1] });
  return out.sort((x, y) => sign * (y.own - x.own));
}

// rows returns the table: for each zone, or zone on a lane, what it did in the frames at places. calls is their number, mean the
// duration of a call; frame and self are times per frame, with and without inner zones, waits the part of frame in zones that wait, NaN
// if there are none; p50 to max are of the time per frame.
export function rows(frames, places, space, lane, zones = []) {
  const keys = new Map(), of = [], out = [];
  space.zone.forEach((zone, node) => {
    if (lane !== null && space.lane[node] !== lane) { of.push(-1); return; }
    const key = `${space.lane[node]} ${zone}`;
    if (!keys.has(key)) { keys.set(key, out.length); out.push({ key, zone, lane: space.lane[node], calls: 0, mean: 0, self: 0, waits: zones.some((z) => z.wait) ? 0 : NaN }); }
    of.push(keys.get(key));
  });
  const t = tree(frames, places, space), own = self(t, space), waits = waited(t, space, zones);
  of.forEach((r, node) => { if (r >= 0) { out[r].calls += t.calls[node]; out[r].mean += t.total[node]; out[r].self += own[node]; if (space.outer[node]) out[r].waits += waits[node]; } });
  columns(frames, places, out.length, (path) => { const node = space.of[path]; return space.outer[node] ? of[node] : -1; }).forEach((values, r) => {
    if (!values) return;
    const sorted = Float32Array.from(values).sort(), row = out[r];
    Object.assign(row, { values, calls: Math.round(row.calls * t.n), mean: row.calls ? row.mean / row.calls : NaN,
      frame: values.reduce((s, v) => s + v, 0) / values.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted[sorted.length - 1] });
  });
  return out.filter((r) => r.values);
}

// waited returns the time of each node in zones that wait: its own, if its zone does, or that of the nodes in it.
function waited(t, space, zones) {
  const out = new Float64Array(space.zone.length);
  for (let node = space.zone.length - 1; node >= 0; node--) { // inner nodes have higher numbers
    if (zones[space.zone[node]]?.wait) out[node] = t.total[node];
    if (space.parent[node] >= 0) out[space.parent[node]] += out[node];
  }
  return out;
}

// bins counts values in n bins of equal width from 0 to hi.
export function bins(values, hi, n) {
  const out = new Uint32Array(n);
  for (const v of values) out[Math.min(n - 1, Math.floor((v / hi) * n) || 0)]++;
  return out;
}

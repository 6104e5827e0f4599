// SPDX-License-Identifier: BSD-3-Clause The level of the call tree at which the strip splits frames. If one outermost zone takes
// nearly all the time, bars would have a single colour. It is then opened: the bars show the zones inside it, and the rest of its
// time.

const OPEN = 0.9, CLOSE = 0.75; // share of the time, without waiting, from which a zone is opened, and below which it is closed again
const INSIDE = 0.1; // share of a zone that the zones inside it must have
const MOST = 17; // nodes with a colour

export class Level {
  #sums = []; // ns; of all frames that came, by node
  #kept = new Set(); // the same as nodes
  #settled = 0; // number of nodes when it was last settled
  open = new Set(); // nodes
  nodes = []; // from the bottom of a bar to its top; waiting nodes last

  // space is the one with lanes summed up, whose nodes are used here.
  constructor(paths) { this.paths = paths; }

  // add counts a frame, [path, calls, total, ...] from a place on.
  add(flat, from) {
    const { summed } = this.paths;
    for (let k = from; k < flat.length; k += 3) { const n = summed.of[flat[k]]; this.#sums[n] = (this.#sums[n] || 0) + flat[k + 2]; }
  }

  forget() { this.#sums = []; this.#settled = 0; this.open = new Set(); this.#kept = new Set(); this.nodes = []; }

  // settle decides which nodes are open.
  settle(zones) {
    const { summed } = this.paths, inside = new Map(), time = (n) => this.#sums[n] || 0, sum = (list) => list.reduce((s, n) => s + time(n), 0);
    summed.parent.forEach((p, n) => { if (!inside.has(p)) inside.set(p, []); inside.get(p).push(n); });
    const of = (n) => inside.get(n) || [], wait = (n) => Boolean(zones[summed.zone[n]]?.wait), busy = (list) => list.filter((n) => !wait(n));
    const open = new Set();
    let level = busy(of(-1)), rest = 0; // rest is the time of open nodes outside inner ones
    for (;;) {
      const most = level.reduce((a, n) => (a < 0 || time(n) > time(a) ? n : a), -1), all = sum(level) + rest;
      if (most < 0 || time(most) < (this.open.has(most) ? CLOSE : OPEN) * all || sum(of(most)) < INSIDE * time(most) || !all) break;
      open.add(most);
      rest += time(most) - sum(of(most));
      level = [...level.filter((n) => n !== most), ...busy(of(most))];
    }
    this.open = open;
    const flat = (n) => (open.has(n) ? [...of(n).flatMap(flat), n] : [n]), list = of(-1).flatMap(flat);
    const kept = (this.#kept = new Set([...list].sort((a, b) => time(b) - time(a)).slice(0, MOST))), shown = list.filter((n) => kept.has(n));
    this.nodes = [...shown.filter((n) => !wait(n)), ...shown.filter(wait)];
    this.#settled = summed.zone.length;
  }

  // fresh returns whether there are no new paths since it was settled.
  get fresh() { return this.#settled === this.paths.summed.zone.length; }

  // shares returns the time of each node of the level in a frame, on all lanes or on one, and their sum. visit visits the entries
  // of the frame. For an open node it is the rest; key -1 has the nodes without a colour.
  shares(visit, lane) {
    const { summed, apart } = this.paths, by = new Map();
    let sum = 0;
    const add = (n, t) => { const key = this.#kept.has(n) ? n : -1; by.set(key, (by.get(key) || 0) + t); };
    visit((path, calls, total) => {
      const n = summed.of[path], p = summed.parent[n];
      if (lane !== null && apart.lane[apart.of[path]] !== lane || p >= 0 && !this.open.has(p)) return;
      add(n, total);
      if (p >= 0) add(p, -total); else sum += total;
    });
    return { by, sum };
  }
}

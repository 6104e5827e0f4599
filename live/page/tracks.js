// SPDX-License-Identifier: BSD-3-Clause
// Rows on the time axis of the strip: messages, the runtime, and the plots of the program.
import { begin, label } from "./canvas.js";
import { Series } from "./frames.js";

const ROW = 23; // pixels
const MOST = 16; // plots of the program that are shown
export const COARSE = 3e8; // ns; for values that are farther apart, the page says how exactly they are known

// points returns the values of the rows of the runtime.
const points = ([cycles, pause, sched, heap, goroutines]) => [cycles ? Math.max(1, pause) : 0, sched ?? NaN, heap, goroutines];

// merge merges points and stretches in order of time; a stretch ends at its point. A stretch that contains points is left out. A
// point without values begins a stretch that does not continue the previous one: a value describes the time since the previous
// point.
export function merge(known, stretches) {
  let i = 0;
  const told = known.filter((p) => !gap(p)), lies = (s) => { while (i < told.length && told[i].at <= s.from) i++; return i < told.length && told[i].at <= s.at; };
  const all = [...known, ...stretches.filter((s) => !lies(s))].sort((a, b) => a.at - b.at);
  const whole = all.filter((p, k) => !gap(p) || (all[k - 1]?.at !== p.at && all[k + 1]?.at !== p.at)); // no gap before it any more
  return whole.flatMap((p, k) => (p.from > (k ? whole[k - 1].at : -Infinity) ? [{ at: p.from }, p] : [p]));
}

// gap reports whether nothing is known of the time before a point.
const gap = (p) => !p.values || p.values.every(Number.isNaN);

// tell returns the text for a value of a row. For the runtime it says how exactly the value is known; for bars also if it is
// unknown.
export function tell(series, i, write, bars, plot) {
  const v = i >= series.first && i < series.count ? series.value(i) : NaN, within = i > series.first ? series.at(i) - series.at(i - 1) : 0;
  if (Number.isNaN(v)) return bars ? "not known: no longer kept" : "";
  return within > COARSE && !plot ? `${bars && !v ? "none" : write(v)} (within ${page.duration(within, 3)})` : write(v);
}

export class Tracks {
  #texts = []; #heights = 0; #runtime;
  constructor(box, model) {
    Object.assign(this, { box, model, gc: new Series(), rows: new Map(), beyond: 0 });
    const bytes = (v) => `${page.digits(v / 2 ** 20, 3)} MiB`, ns = (v) => page.duration(v, 3);
    this.rows.set("garbage collection", { series: this.gc, write: (v) => (v ? `pause ${ns(v)}` : ""), bars: true });
    this.rows.set("scheduler latency p99", { series: new Series(), write: ns });
    this.rows.set("heap", { series: new Series(), write: bytes });
    this.rows.set("goroutines", { series: new Series(), write: (v) => `${v}` });
    this.#runtime = [...this.rows.values()].map((r) => r.series);
  }

  clear() {
    this.#texts.length = 0;
    for (const [key, r] of this.rows) if (r.name) this.rows.delete(key); else r.series.count = 0;
    this.beyond = 0;
  }

  // take adds the content of a message.
  take({ at_ns: at, history, runtime, plots, messages }) {
    if (history) this.#remember(history);
    if (runtime) points(runtime).forEach((v, k) => this.#runtime[k].push(at, v));
    for (const [name, when, value] of plots || []) {
      const key = `plot ${name}`;
      if (!this.rows.has(key) && this.rows.size >= MOST + 4) { this.beyond++; continue; }
      if (!this.rows.has(key)) this.rows.set(key, { name, series: new Series(), write: (v) => page.digits(v, 4) });
      this.rows.get(key).series.push(when, value);
    }
    for (const m of messages || []) this.#texts.push(m);
    if (this.#texts.length > 500) this.#texts.splice(0, this.#texts.length - 500);
  }

  // remember adds what the runtime did before the page was opened, in stretches of time. Later values are more exact, and stay.
  #remember(history) {
    const { gc } = this, known = Array.from({ length: gc.count - gc.first }, (_, k) => ({ at: gc.at(gc.first + k), values: this.#runtime.map((s) => s.value(s.first + k)) }));
    const merged = merge(known, history.map(([from, at, ...did]) => ({ from, at, values: points(did) })));
    this.#runtime.forEach((s, k) => { s.count = 0; for (const p of merged) s.push(p.at, p.values ? p.values[k] : NaN); });
  }

  // collections returns how many garbage collections ran within a time, how long they paused the program, and how exactly that is
  // known: the time around it within which they ran.
  collections(from, to) {
    let n = 0, pause = 0, within = 0;
    for (let i = Math.max(this.gc.first + 1, this.gc.from(from)); i < this.gc.count; i++) {
      if (this.gc.value(i)) { n++; pause += this.gc.value(i); within = Math.max(within, this.gc.at(i) - this.gc.at(i - 1)); }
      if (this.gc.at(i) >= to) break; // a value describes the time since the previous one
    }
    return { n, pause, within };
  }

  // texts returns the messages within a time, as [ns since its start, text].
  texts(from, to) { return this.#texts.filter(([at]) => at >= from && at < to).map(([at, , text]) => [at - from, text]); }

  draw() {
    const rows = [...this.rows], { view, colours } = this.model;
    const texts = this.#texts.length ? 1 : 0, { c, w, h } = begin(this.box, (rows.length + texts) * ROW);
    const x = (t) => ((t - view.from) / view.span) * w;
    if (texts) this.#write(c, x, w);
    rows.forEach(([key, r], k) => this.#row(c, r.name || key, r, (k + texts) * ROW, x, w));
    if (view.pointer !== null) { c.fillStyle = colours.soft; c.fillRect(Math.round(x(view.pointer)), 0, 1, h); }
  }

  #write(c, x, w) {
    const { colours } = this.model;
    let free = 60;
    label(c, "messages", 0, ROW / 2, colours);
    for (const [at, , text] of this.#texts) {
      const left = x(at);
      if (left < 0 || left > w) continue;
      c.fillStyle = colours.mark;
      c.fillRect(left, 4, 2, ROW - 6);
      if (left >= free) free = label(c, text, left + 3, ROW / 2, colours) + 6;
    }
  }

  #row(c, name, { name: plot, series, write, bars }, top, x, w) {
    const { view, colours } = this.model, from = Math.max(series.first, series.from(view.from) - 1);
    let lo = bars ? 0 : Infinity, hi = bars ? 0 : -Infinity;
    const last = series.from(view.end), at = view.pointer === null ? last - 1 : series.from(view.pointer);
    const columns = new Map(); // pixel to [least, greatest, latest]
    for (let i = from; i <= last && i < series.count; i++) {
      const v = series.value(i), px = Math.round(x(series.at(i))), k = columns.get(px);
      if (Number.isNaN(v) || px < 0 && bars || px > w) continue;
      lo = Math.min(lo, v); hi = Math.max(hi, v);
      if (!k) columns.set(px, [v, v, v]); else { k[0] = Math.min(k[0], v); k[1] = Math.max(k[1], v); k[2] = v; }
    }
    c.fillStyle = colours.grid;
    c.fillRect(0, top + ROW - 1, w, 1);
    const y = (v) => top + ROW - 4 - (hi > lo ? (v - lo) / (hi - lo) : 0.5) * (ROW - 9);
    if (bars) {
      c.fillStyle = colours.mark;
      for (const [px, k] of columns) if (k[1]) c.fillRect(px, y(k[1]), 2, top + ROW - 1 - y(k[1]));
    } else {
      c.strokeStyle = colours.soft;
      c.beginPath();
      let begun = false;
      for (const [px, k] of columns) {
        if (!begun) { c.moveTo(px, y(k[0])); begun = true; }
        c.lineTo(px, y(k[0]));
        if (k[1] > k[0]) { c.lineTo(px, y(k[1])); c.lineTo(px, y(k[2])); }
      }
      c.stroke();
    }
    label(c, name, 0, top + 11, colours);
    const text = bars && columns.size && view.pointer === null ? (hi ? `longest ${write(hi)}` : "none") : plot && !columns.size ? "" : tell(series, columns.size || view.pointer !== null ? at : last, write, bars, plot);
    if (text) label(c, text, w, top + 11, colours, "right", colours.ink);
  }
}

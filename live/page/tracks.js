// SPDX-License-Identifier: BSD-3-Clause
// Rows on the time axis of the strip: messages, the runtime, and the plots of the program.
import { begin, label } from "./canvas.js";
import { Series } from "./frames.js";

const ROW = 23; // pixels
const MOST = 16; // plots of the program that are shown

export class Tracks {
  #texts = []; #heights = 0;
  constructor(box, model) {
    Object.assign(this, { box, model, gc: new Series(), rows: new Map(), beyond: 0 });
    const bytes = (v) => `${page.digits(v / 2 ** 20, 3)} MiB`, ns = (v) => page.duration(v, 3);
    this.rows.set("garbage collection", { series: this.gc, write: (v) => (v ? `pause ${ns(v)}` : ""), bars: true });
    this.rows.set("scheduler latency p99", { series: new Series(), write: ns });
    this.rows.set("heap", { series: new Series(), write: bytes });
    this.rows.set("goroutines", { series: new Series(), write: (v) => `${v}` });
  }

  clear() {
    this.#texts.length = 0;
    for (const [key, r] of this.rows) if (r.name) this.rows.delete(key); else r.series.count = 0;
    this.beyond = 0;
  }

  // take adds what a message holds.
  take({ at_ns: at, runtime, plots, messages }) {
    if (runtime) {
      const [cycles, pause, sched, heap, goroutines] = runtime, [gc, latency, bytes, count] = [...this.rows.values()];
      gc.series.push(at, cycles ? Math.max(1, pause) : 0);
      latency.series.push(at, sched ?? NaN);
      bytes.series.push(at, heap);
      count.series.push(at, goroutines);
    }
    for (const [name, when, value] of plots || []) {
      const key = `plot ${name}`;
      if (!this.rows.has(key) && this.rows.size >= MOST + 4) { this.beyond++; continue; }
      if (!this.rows.has(key)) this.rows.set(key, { name, series: new Series(), write: (v) => page.digits(v, 4) });
      this.rows.get(key).series.push(when, value);
    }
    for (const m of messages || []) this.#texts.push(m);
    if (this.#texts.length > 500) this.#texts.splice(0, this.#texts.length - 500);
  }

  // collections returns how many garbage collections ran within a time, and for how long they paused the program.
  collections(from, to) {
    let n = 0, pause = 0;
    for (let i = Math.max(this.gc.first + 1, this.gc.from(from)); i < this.gc.count; i++) {
      if (this.gc.value(i)) { n++; pause += this.gc.value(i); }
      if (this.gc.at(i) >= to) break; // a value is about the time since the one before
    }
    return { n, pause };
  }

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

  #row(c, name, { series, write, bars }, top, x, w) {
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
    const v = at >= series.first && at < series.count ? series.value(at) : NaN;
    const text = !columns.size ? (bars ? "not known: the page was not open" : "") : bars && view.pointer === null ? (hi ? `longest ${write(hi)}` : "none") : Number.isNaN(v) ? "" : write(v);
    if (text) label(c, text, w, top + 11, colours, "right", colours.ink);
  }
}

// SPDX-License-Identifier: BSD-3-Clause The strip of frames: a bar for each, whose width and height are its duration, stacked by
// the zones of a level, cut at three budgets.
import { begin, label, under } from "./canvas.js";
import { took } from "./names.js";
import { time } from "./tables.js";

const HEAD = 15; // pixels above the bars, for the durations of bars that are cut

export class Strip {
  #columns = []; #w = 1;
  constructor(box, model, act) {
    Object.assign(this, { box, model, act });
    this.#listen();
  }

  // x and at convert between time and pixels.
  x(t) { return ((t - this.model.view.from) / this.model.view.span) * this.#w; }
  at(x) { return this.model.view.from + (x / this.#w) * this.model.view.span; }

  draw() {
    const { view, colours, info, level, paths: { summed } } = this.model, { c, w, h } = begin(this.box);
    this.#w = w;
    if (!level.fresh) level.settle(info.zones);
    const top = 3 * view.budget, y = (v) => h - (Math.min(v, top) / top) * (h - HEAD);
    const columns = (this.#columns = this.#collect());
    this.#gaps(c, h);
    const d = devicePixelRatio || 1, sharp = (v) => Math.round(y(v) * d) / d; // whole pixels are sharp, and fast to draw
    const bar = (k, lo, hi) => { const a = sharp(hi), b = sharp(lo); if (b > a) c.fillRect(k.x, a, k.w, b - a); };
    for (const k of columns) this.#stack(k);
    c.fillStyle = colours.grid;
    for (const k of columns) if (k.tops[k.tops.length - 1] < k.value) bar(k, k.tops[k.tops.length - 1], k.value);
    for (const [n, zone] of (view.zone === null ? [...level.nodes.map((node) => summed.zone[node]), -1] : [view.zone]).entries()) {
      c.fillStyle = colours.of(zone, info.zones[zone]?.wait);
      for (const k of columns) if (k.tops[n + 1] > k.tops[n]) bar(k, k.tops[n], k.tops[n + 1]);
    }
    c.fillStyle = colours.bg;
    c.globalAlpha = 0.55; // if a pixel has many frames, the part that only the longest reaches is paler
    for (const k of columns) if (k.least < k.value) bar(k, k.least, k.value);
    c.globalAlpha = 0.8;
    for (const k of columns) if (k.out) bar(k, 0, k.value);
    c.globalAlpha = 1;
    this.#lines(c, w, y);
    this.#cut(c, columns, top);
    this.#chosen(c, w, h, y);
  }

  // collect returns what to draw: each frame, or the longest one of each pixel.
  #collect() {
    const { frames, view } = this.model, { filter } = view, out = [], from = frames.after(view.from);
    const add = (i, frame) => {
      const start = frame ? frame.start : frames.start(i), took = frame ? frame.took : frames.took(i), value = frame ? frame.value : frames.value(i);
      const x = this.x(start), end = this.x(start + took), last = out[out.length - 1], px = Math.floor(x);
      const inside = !this.#left(filter, frame, i, value, start + took, start);
      if (last && last.px === px && end - x < 1.5) {
        last.least = Math.min(last.least, value);
        last.out &&= !inside;
        if (value > last.value) Object.assign(last, { value, i, frame });
        return;
      }
      const w = end - x, gap = w > 4 ? 1 : w > 2 ? 0.5 : 0;
      out.push({ px, x: w < 1.5 ? px : x, w: Math.max(1, w - gap), value, least: value, i, frame, out: !inside });
    };
    for (const f of frames.worst) if (f.start < view.end && f.start + f.took > view.from && frames.place(f.number) < 0) add(-1, f);
    for (let i = from; i < frames.end && frames.start(i) < view.end; i++) add(i, null);
    for (let n = 1; n < out.length; n++) { // adjacent bars touch
      const k = out[n - 1], crack = out[n].x - k.x - k.w;
      if (k.w <= 2 && crack > 0 && crack <= 1) k.w += crack;
    }
    return out;
  }

  // left returns whether a frame is left out of the tables.
  #left({ from, to, band, brush }, frame, i, value, end, start) {
    if (end <= from || start >= to || value < band[0] || value > band[1]) return true;
    if (!brush) return false;
    const t = time(this.#visit({ frame, i }), this.model.paths.apart, brush.zone, brush.lane);
    return t < brush.lo || t > brush.hi;
  }

  #visit({ frame, i }) {
    if (!frame) return (visit) => this.model.frames.each(i, visit);
    return (visit) => { for (let k = 0; k < frame.flat.length; k += 3) visit(frame.flat[k], frame.flat[k + 1], frame.flat[k + 2]); };
  }

  // stack computes the edges between zones. If lanes overlap, their zones share the duration.
  #stack(k) {
    const { view, level, paths: { apart } } = this.model, visit = this.#visit(k);
    if (view.zone !== null) { k.tops = [0, Math.min(k.value, time(visit, apart, view.zone, view.lane))]; return; }
    const { by, sum } = level.shares(visit, view.lane), scale = sum > k.value ? k.value / sum : 1;
    k.tops = [0];
    for (const n of [...level.nodes, -1]) k.tops.push(k.tops[k.tops.length - 1] + Math.max(0, by.get(n) || 0) * scale);
  }

  // gaps hatches the places where frames are missing.
  #gaps(c, h) {
    const { frames, view, colours } = this.model;
    c.strokeStyle = colours.line;
    c.beginPath();
    for (let i = Math.max(frames.first + 1, frames.after(view.from)); i < frames.end && frames.start(i - 1) < view.end; i++) {
      if (frames.number(i) === frames.number(i - 1) + 1) continue;
      const a = Math.max(0, this.x(frames.start(i - 1) + frames.took(i - 1))), b = Math.min(this.#w, this.x(frames.start(i)));
      for (let x = a; x < b; x += 6) { c.moveTo(x, h); c.lineTo(Math.min(b, x + 6), h - 6); }
    }
    c.stroke();
  }

  #lines(c, w, y) {
    const { view, colours } = this.model, line = (v, dash) => {
      c.setLineDash(dash);
      c.beginPath();
      c.moveTo(0, Math.round(y(v)) + 0.5);
      c.lineTo(w, Math.round(y(v)) + 0.5);
      c.stroke();
    };
    c.lineWidth = 1;
    c.strokeStyle = colours.line;
    line(2 * view.budget, [2, 4]);
    line(3 * view.budget, [2, 4]);
    c.strokeStyle = colours.ink;
    line(view.budget, []);
    c.setLineDash([]);
    const name = this.model.info.slice ? "" : view.given ? " budget" : " median";
    label(c, page.duration(2 * view.budget), 0, y(2 * view.budget) - 8, colours);
    label(c, page.duration(view.budget) + name, 0, y(view.budget) - 8, colours);
  }

  // cut writes the durations of frames that are higher than the strip; if there is no room for all, those of the longest.
  #cut(c, columns, top) {
    const { colours } = this.model, taken = [];
    c.textAlign = "center";
    for (const k of columns.filter((k) => k.value > top && !k.out).sort((a, b) => b.value - a.value)) {
      const text = took(k.value), half = c.measureText(text).width / 2 + 4, mid = k.x + k.w / 2;
      const at = Math.max(half, Math.min(this.#w - half, mid));
      c.fillStyle = colours.mark;
      c.fillRect(k.x, HEAD - 2, Math.max(2, k.w), 2);
      if (taken.some(([a, b]) => at + half > a && at - half < b)) continue;
      taken.push([at - half, at + half]);
      c.fillStyle = colours.ink;
      c.fillText(text, at, 7);
    }
  }

  #chosen(c, w, h, y) {
    const { view, colours } = this.model;
    if (view.range) {
      const [a, b] = view.range.map((t) => this.x(t));
      c.fillStyle = colours.select;
      c.fillRect(a, 0, b - a, h);
      c.fillStyle = colours.soft;
      c.fillRect(a, 0, 1, h);
      c.fillRect(b, 0, 1, h);
    }
    for (const [name, m] of Object.entries(view.marks)) {
      if (m) { const x = this.x(m.at); if (x > -9 && x < w + 9) label(c, name.toUpperCase(), x, h - 8, colours, "center", colours.ink); }
    }
    if (!view.frame) return;
    const a = this.x(view.frame.start), b = this.x(view.frame.start + view.frame.took), high = y(view.frame.value);
    c.strokeStyle = colours.ink;
    c.lineWidth = 2;
    c.strokeRect(a - 1, high - 1, Math.max(2, b - a) + 1, h - high + 2);
    c.lineWidth = 1;
  }

  // nearest returns the frame drawn at a pixel: the longest within a few pixels, so that a spike is easy to hit.
  nearest(x) {
    let best = null;
    for (const k of this.#columns) if (k.x - 3 <= x && x <= k.x + k.w + 3 && (!best || k.value > 1.5 * best.value || (k.x <= x && x <= k.x + k.w && best.value <= 1.5 * k.value))) best = k;
    return best && (best.frame || this.model.frames.copy(best.i));
  }

  #listen() {
    const { box, act } = this;
    let from = null, pressed = 0;
    box.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      box.setPointerCapture(e.pointerId);
      pressed = under(box, e).x;
      from = this.at(pressed);
    });
    box.addEventListener("pointermove", (e) => {
      const { x } = under(box, e);
      act.point(this.at(x));
      if (from === null) { act.read(this.nearest(x)); return; }
      if (Math.abs(x - pressed) > 4) act.range([from, this.at(x)].sort((a, b) => a - b));
    });
    box.addEventListener("pointerup", (e) => {
      const { x } = under(box, e);
      if (from !== null && Math.abs(x - pressed) <= 4) { const f = this.nearest(x); if (f) act.choose(f); else act.clear(); }
      from = null;
    });
    box.addEventListener("pointercancel", () => { from = null; });
    box.addEventListener("pointerleave", () => { act.point(null); act.read(null); });
    box.addEventListener("wheel", (e) => {
      e.preventDefault();
      if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) act.scroll((e.deltaX / this.#w) * this.model.view.span);
      else act.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.at(under(box, e).x));
    }, { passive: false });
  }
}

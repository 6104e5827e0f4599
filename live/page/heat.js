// SPDX-License-Identifier: BSD-3-Clause
// The units of a root zone over time: how many took how long, on a logarithmic axis, and the slow ones as dots to click.
import { begin, label, under } from "./canvas.js";
import { took } from "./names.js";
import { noted, quantiles, range } from "./units.js";

const NEAR = 9; // pixels
const PALE = 0.13; // of a cell with a single unit

// decades returns bounds of an axis that has room for values: halves of powers of ten, so that it seldom changes.
export function decades(lo, hi) {
  const a = Math.floor(2 * Math.log10(Math.max(1, lo)) - 0.2) / 2, b = Math.ceil(2 * Math.log10(Math.max(10, hi)) + 0.2) / 2;
  return [10 ** a, 10 ** Math.max(b, a + 1)];
}

// ticks returns the powers of ten, and where there is room their doubles and fives, of a logarithmic axis.
export function ticks([lo, hi], h) {
  const out = [], room = h / Math.log10(hi / lo);
  for (let p = 10 ** Math.floor(Math.log10(lo)); p <= hi; p *= 10) for (const f of room > 90 ? [1, 2, 5] : [1]) if (f * p >= lo * 0.999 && f * p <= hi * 1.001) out.push(f * p);
  return out;
}

export class Heat {
  #dots = []; #w = 1; #h = 1; #bounds = [1e5, 1e8]; #brush = null;

  // say describes what is under the pointer.
  constructor(box, model, act, say) {
    Object.assign(this, { box, model, act, say });
    this.#listen();
  }

  x(t) { return ((t - this.model.view.from) / this.model.view.span) * this.#w; }
  at(x) { return this.model.view.from + (x / this.#w) * this.model.view.span; }
  y(v) { const [lo, hi] = this.#bounds; return this.#h * (1 - Math.log(Math.max(v, lo) / lo) / Math.log(hi / lo)); }
  value(y) { const [lo, hi] = this.#bounds; return lo * (hi / lo) ** (1 - y / this.#h); }

  draw() {
    const { frames, view, colours, info } = this.model, { c, w, h } = begin(this.box), columns = frames.columns(view.from, view.end);
    this.#w = w;
    this.#h = h;
    const shown = [...frames.open];
    for (let i = frames.after(view.from); i < frames.end && frames.start(i) < view.end; i++) if (frames.slow(i)) shown.push(frames.copy(i));
    if (view.frame && !shown.some((u) => u.number === view.frame.number && u.start === view.frame.start)) shown.push(view.frame);
    this.#scale(columns, shown);
    this.#grid(c, w, h);
    this.#cells(c, columns, colours.of(info.root));
    this.#marks(c, w, columns);
    this.#points(c, w, shown);
    this.#chosen(c, h);
    if (view.pointer !== null) { c.fillStyle = colours.soft; c.fillRect(Math.round(this.x(view.pointer)), 0, 1, h); }
    this.box.dataset.dots = this.#dots.length;
  }

  #scale(columns, shown) {
    let lo = Infinity, hi = 0;
    for (const { cells } of columns) if (cells.length) { lo = Math.min(lo, range(cells[0])[0]); hi = Math.max(hi, range(cells[cells.length - 2])[1]); }
    for (const u of shown) { lo = Math.min(lo, u.took); hi = Math.max(hi, u.took); }
    if (hi) this.#bounds = decades(lo, hi);
  }

  #grid(c, w, h) {
    const { colours } = this.model;
    for (const v of ticks(this.#bounds, h)) { c.fillStyle = colours.grid; c.fillRect(0, Math.round(this.y(v)), w, 1); }
  }

  // cells draws the counts. If columns are narrower than a pixel, those of a pixel are added up.
  #cells(c, columns, colour) {
    const by = new Map(), d = devicePixelRatio || 1;
    let most = 1;
    for (const { from, width, cells } of columns) {
      const x = Math.floor(this.x(from) * d) / d, right = Math.max(x + 1 / d, Math.floor(this.x(from + width) * d) / d);
      let column = by.get(x);
      if (!column) by.set(x, (column = { right, cells: new Map() }));
      for (let k = 0; k < cells.length; k += 2) {
        const n = (column.cells.get(cells[k]) || 0) + cells[k + 1];
        column.cells.set(cells[k], n);
        most = Math.max(most, n);
      }
    }
    c.fillStyle = colour;
    for (const [x, { right, cells }] of by) {
      for (const [cell, n] of cells) {
        const [lo, hi] = range(cell), top = Math.floor(this.y(hi)), gap = right - x > 4 ? 1 : 0;
        c.globalAlpha = most > 1 ? PALE + (1 - PALE) * (Math.log(n) / Math.log(most)) : 0.6;
        c.fillRect(x, top, right - x - gap, Math.max(1, Math.floor(this.y(lo)) - top));
      }
    }
    c.globalAlpha = 1;
  }

  #marks(c, w, columns) {
    const { colours } = this.model, { n, of: [median, p99] } = quantiles(columns, [0.5, 0.99]);
    for (const v of ticks(this.#bounds, this.#h)) label(c, page.duration(v), 0, Math.max(8, this.y(v) - 7), colours);
    if (!n) return;
    c.setLineDash([2, 4]);
    c.strokeStyle = colours.ink;
    for (const [name, v] of [["median", median], ...(n >= 100 ? [["p99", p99]] : [])]) {
      const y = Math.round(this.y(v)) + 0.5;
      c.beginPath();
      c.moveTo(0, y);
      c.lineTo(w, y);
      c.stroke();
      label(c, `${name} ${took2(v)}`, w, y - 8, colours, "right", colours.ink);
    }
    c.setLineDash([]);
  }

  #points(c, w, shown) {
    const { view, colours } = this.model, text = view.noted.toLowerCase();
    this.#dots = shown.map((u) => ({ u, x: u.open ? w - 5 : this.x(u.end), y: this.y(u.took), out: !inside(view, u) || Boolean(text) && !noted(u).toLowerCase().includes(text) }));
    for (const { u, x, y, out } of this.#dots) {
      c.globalAlpha = out ? 0.25 : 1;
      c.beginPath();
      c.arc(x, y, 3, 0, 2 * Math.PI);
      c.fillStyle = c.strokeStyle = colours.mark;
      if (u.open) c.stroke(); else c.fill();
    }
    c.globalAlpha = 1;
  }

  #chosen(c, h) {
    const { view, colours } = this.model, f = view.frame, dot = f && this.#dots.find((d) => d.u.number === f.number && d.u.start === f.start);
    const b = this.#brush || (view.range && { x: view.range.map((t) => this.x(t)), y: view.cloud ? view.cloud.map((v) => (v === Infinity ? 0 : this.y(v))) : [h, 0] });
    if (b) {
      const [left, right] = [...b.x].sort((p, q) => p - q), [top, bottom] = [...b.y].sort((p, q) => p - q);
      c.fillStyle = colours.select;
      c.fillRect(left, top, right - left, bottom - top);
      c.strokeStyle = colours.soft;
      c.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), Math.max(1, bottom - top - 1));
    }
    if (!dot) return;
    c.strokeStyle = colours.ink;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(dot.x, dot.y, 6, 0, 2 * Math.PI);
    c.stroke();
    c.lineWidth = 1;
  }

  // nearest returns the slow unit near a pixel, or null.
  nearest({ x, y }) {
    let best = null, least = NEAR;
    for (const d of this.#dots) { const far = Math.hypot(d.x - x, d.y - y); if (far < least) { least = far; best = d.u; } }
    return best;
  }

  // tell describes the cell at a pixel.
  #tell({ x, y }) {
    const t = this.at(x), v = this.value(y), column = this.model.frames.columns(t, t + 1)[0];
    if (!column) return "";
    for (let k = 0; k < column.cells.length; k += 2) {
      const [lo, hi] = range(column.cells[k]);
      if (lo <= v && v < hi) return `${column.cells[k + 1]} call${column.cells[k + 1] === 1 ? "" : "s"} of ${took(lo)} to ${took(hi)} within ${page.duration(column.width)}`;
    }
    return `${took2(v)}`;
  }

  #listen() {
    const { box, act } = this;
    let from = null;
    const moved = (a, b) => Math.abs(a.x - b.x) > 4 || Math.abs(a.y - b.y) > 4;
    box.addEventListener("pointerdown", (e) => { if (e.button === 0) { box.setPointerCapture(e.pointerId); from = under(box, e); } });
    box.addEventListener("pointermove", (e) => {
      const p = under(box, e);
      act.point(this.at(p.x));
      if (from && moved(from, p)) { this.#brush = { x: [from.x, p.x], y: [from.y, p.y] }; return; }
      const u = this.nearest(p);
      act.read(u);
      if (!u) this.say(this.#tell(p));
    });
    box.addEventListener("pointerup", (e) => {
      const p = under(box, e), b = this.#brush, start = from;
      this.#brush = from = null;
      if (b) {
        const [t0, t1] = [start.x, p.x].map((x) => this.at(x)).sort((a, c) => a - c), [y0, y1] = [start.y, p.y].sort((a, c) => a - c);
        act.cloud([t0, t1], [y1 >= this.#h - 2 ? 0 : this.value(y1), y0 <= 2 ? Infinity : this.value(y0)]);
      } else if (start) {
        const u = this.nearest(p);
        if (u) act.choose(u); else act.clear();
      }
    });
    box.addEventListener("pointercancel", () => { this.#brush = from = null; });
    box.addEventListener("pointerleave", () => { act.point(null); act.read(null); });
    box.addEventListener("wheel", (e) => {
      e.preventDefault();
      if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) act.scroll((e.deltaX / this.#w) * this.model.view.span);
      else act.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.at(under(box, e).x));
    }, { passive: false });
  }
}

// took2 writes a duration that is known to a few percent.
const took2 = (v) => page.duration(v, 2);

// inside returns whether a unit is selected, or nothing is.
function inside({ range: r, cloud, band }, u) {
  return (!r || u.end >= r[0] && u.end < r[1]) && (!cloud || u.value >= cloud[0] && u.value <= cloud[1]) && u.value >= band[0] && u.value <= band[1];
}

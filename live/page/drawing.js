// SPDX-License-Identifier: BSD-3-Clause Draws the timeline of a frame: the whole frame in small, an axis, and the visible part of
// the lanes.
import { begin, fit, label } from "./canvas.js";
import { noun, took, zoneName } from "./names.js";
import { busy, gap, rects, stamp } from "./spans.js";

const ROW = 18, HEAD = 19, AFTER = 5; // pixels: of a row of spans, of the name of a lane, below it
const MAP = 22, AXIS = 18, TRACK = 16; // of the whole frame, of the axis, of a row of marks
const NAMED = 170; // pixels of a gap whose length is written
const MAPPED = 4; // lanes in the whole frame

export class Drawing {
  #stripes = new Map(); #widths = new Map();
  shown = []; // rectangles of the latest picture, by row: { lane, r, y, list }

  // box holds the lanes and scrolls; axis lies above it.
  constructor(axis, box, model) {
    Object.assign(this, { axis, box, model });
    this.tall = box.appendChild(document.createElement("div"));
  }

  // x and at convert between time and pixels.
  x(t) { const [lo, hi] = this.win; return ((t - lo) / (hi - lo)) * this.w; }
  at(x) { const [lo, hi] = this.win; return lo + (x / this.w) * (hi - lo); }

  // place places the lanes below each other and returns their total height.
  #place(lanes) {
    let y = 0;
    for (const l of lanes) {
      l.y = y;
      y += HEAD + (l.folded ? Math.min(1, l.rows.length) : Math.max(1, l.rows.length)) * ROW + AFTER;
    }
    return y;
  }

  // draw draws a frame, { whole, lanes, collections, texts, complete }, with its window, the chosen span, the span under the
  // pointer, the pointer, and the brushed time.
  draw(frame, win, chosen, pointed, pointer, brush) {
    Object.assign(this, { frame, win, lanes: frame.lanes });
    const total = this.#place(frame.lanes), high = Math.min(total, Math.max(200, Math.min(460, Math.round(innerHeight / 2))));
    if (this.box.style.height !== `${high}px`) this.box.style.height = `${high}px`;
    const rest = `${Math.max(0, total - high)}px`;
    if (this.tall.style.height !== rest) this.tall.style.height = rest;
    const { c, w, h } = begin(this.box, high, this.box.clientWidth);
    this.w = w;
    const top = this.box.scrollTop;
    this.shown = [];
    this.#grid(c, h);
    let drawn = 0;
    for (const l of frame.lanes) {
      if (l.y + HEAD + l.rows.length * ROW + AFTER < top || l.y > top + h) continue;
      this.#head(c, l, l.y - top, w);
      const rows = l.folded ? l.rows.slice(0, 1) : l.rows;
      this.#floor(c, l, l.y - top + HEAD);
      rows.forEach((row, r) => {
        const y = l.y - top + HEAD + r * ROW;
        if (y + ROW < 0 || y > h) return;
        const list = rects(row, win, w);
        drawn += list.length;
        this.shown.push({ lane: l, r, y, list });
        for (const rect of list) this.#span(c, l, row, rect, y);
      });
    }
    this.box.dataset.rectangles = drawn;
    for (const [at, width] of [[chosen, 2], [pointed, 1]]) if (at) this.#outline(c, at, width, top);
    if (pointer !== null) { c.fillStyle = this.model.colours.soft; c.fillRect(Math.round(this.x(pointer.t)), 0, 1, h); }
    this.#above(w, pointer, brush);
    if (pointer?.tip) this.#tip(c, pointer, w, h);
  }

  #grid(c, h) {
    const { colours } = this.model;
    c.fillStyle = colours.grid;
    for (const t of this.#ticks()) c.fillRect(Math.round(this.x(t.t)), 0, 1, h);
  }

  #ticks() {
    const [lo, hi] = this.win, [per, unit] = page.unit(hi);
    return page.ticks(lo / per, hi / per, this.w / 110).map((t) => ({ t: t.at * per, text: `${t.text} ${unit}` }));
  }

  #head(c, l, y, w) {
    const { colours } = this.model;
    c.fillStyle = colours.line;
    if (l.y > 0) c.fillRect(0, Math.round(y), w, 1);
    c.fillStyle = colours.soft;
    c.textAlign = "left";
    if (l.rows.length > 1) this.#arrow(c, 5, y + HEAD / 2, l.folded);
    const words = [`${l.spans} span${l.spans === 1 ? "" : "s"}`, `in zones ${l.rows.length ? page.digits((100 * busy(l.rows[0], this.frame.whole)) / this.frame.whole, 3) : 0} % of the ${noun(this.model)}`];
    if (l.own) words.unshift(noun(this.model) === "call" ? "its own" : "the loop's own");
    const text = words.join(" · "), room = c.measureText(text).width;
    const { font } = c;
    c.font = `600 ${font}`;
    const name = fit(c, l.name, Math.max(90, w - room - 40));
    c.fillStyle = colours.ink;
    c.fillText(name, 14, y + HEAD / 2 + 1);
    const after = 14 + c.measureText(name).width + 10;
    c.font = font;
    c.fillStyle = colours.soft;
    const more = fit(c, text, w - after);
    if (more) c.fillText(more, after, y + HEAD / 2 + 1);
  }

  #arrow(c, x, y, folded) {
    c.beginPath();
    if (folded) { c.moveTo(x - 2, y - 4); c.lineTo(x + 3, y); c.lineTo(x - 2, y + 4); } else { c.moveTo(x - 4, y - 2); c.lineTo(x + 4, y - 2); c.lineTo(x, y + 3); }
    c.fill();
  }

  // floor marks where the lane is outside any zone.
  #floor(c, l, y) {
    const { colours } = this.model;
    c.fillStyle = colours.grid;
    c.fillRect(0, y + ROW / 2 - 1, this.w, 1);
    if (!l.rows.length) return;
    c.textAlign = "center";
    c.fillStyle = colours.soft;
    const [lo, hi] = this.win, list = rects(l.rows[0], this.win, this.w);
    for (let k = 0; k <= list.length; k++) { // the gaps between rectangles
      const a = k ? list[k - 1].x + list[k - 1].w : 0, b = k < list.length ? list[k].x : this.w;
      if (b - a < NAMED) continue;
      const [from, to] = gap(l.rows[0], this.at((a + b) / 2), this.frame.whole), text = fit(c, `${took(Math.min(to, hi) - Math.max(from, lo))} ${this.frame.complete ? "outside any zone" : "without a span"}`, b - a - 12);
      const half = c.measureText(text).width / 2 + 4;
      c.clearRect((a + b) / 2 - half, y + 2, 2 * half, ROW - 4);
      c.fillText(text, (a + b) / 2, y + ROW / 2);
    }
  }

  // dim returns whether another zone is highlighted, or the search does not match.
  #dim(zone, lane) {
    const { view } = this.model, text = view.find.trim().toLowerCase();
    return view.zone !== null && view.zone !== zone || Boolean(text) && !zoneName(this.model, zone).toLowerCase().includes(text) && !lane.name.toLowerCase().includes(text);
  }

  #span(c, l, row, { x, w, i, n, busy: spent }, y) {
    const { model } = this, { colours, info, paths: { apart } } = model, zone = row.node[i] < 0 ? -1 : apart.zone[row.node[i]], wait = info.zones[zone]?.wait;
    const d = devicePixelRatio || 1, snap = (v) => Math.round(v * d) / d, left = snap(x), right = Math.max(snap(x + w), left + 1), width = right - left - (w > 3 ? 1 : 0), high = ROW - 1;
    c.globalAlpha = this.#dim(zone, l) ? 0.2 : 1;
    if (n > 1) { // paler if there is room between them
      const [lo, hi] = this.win, share = Math.min(1, (spent * this.w) / (hi - lo) / Math.max(1, w));
      c.globalAlpha *= 0.35 + 0.65 * share;
      c.fillStyle = width > 3 ? this.#striped(c, colours.of(zone, wait)) : colours.of(zone, wait);
    } else c.fillStyle = colours.of(zone, wait);
    c.fillRect(left, y, width, high);
    c.globalAlpha = c.globalAlpha < 0.3 ? 0.35 : 1;
    if (n === 1 && w > 3) this.#cut(c, row, i, left, left + width, y, high);
    const torn = row.start[i] < 0 && left < 1 ? 5 : 0;
    if (n === 1 && w > 20) this.#name(c, zone, wait, row.end[i] - row.start[i], left + torn, width - torn, y + high / 2 + 0.5);
    c.globalAlpha = 1;
  }

  // cut draws a jagged edge for a span that is longer than the frame.
  #cut(c, row, i, left, right, y, high) {
    const { whole } = this.frame, tear = (x, into) => {
      c.beginPath();
      for (let k = 0; k <= 6; k++) c[k ? "lineTo" : "moveTo"](x + (k % 2 ? into : 0), y + (k * high) / 6);
      c.fill();
    };
    c.fillStyle = this.model.colours.bg;
    if (row.start[i] < 0 && left < 1) tear(left - 0.5, 5);
    if (row.end[i] > whole && this.win[1] >= whole) tear(right + 0.5, -5);
  }

  #name(c, zone, wait, d, left, width, y) {
    const { model } = this, name = zoneName(model, zone), room = width - 8, wide = this.#measured(c, name);
    const text = room >= wide + 62 && d < Infinity ? `${name}  ${took(d)}` : room >= wide ? name : fit(c, name, room);
    if (!text) return;
    c.fillStyle = model.colours.on(zone, wait);
    c.textAlign = "left";
    c.fillText(text, left + 4, y);
  }

  // measured returns the width of a name.
  #measured(c, name) {
    if (!this.#widths.has(name)) {
      if (this.#widths.size > 5000) this.#widths.clear();
      this.#widths.set(name, c.measureText(name).width);
    }
    return this.#widths.get(name);
  }

  // striped returns a pattern for spans that are too short to be drawn one by one.
  #striped(c, colour) {
    if (!this.#stripes.has(colour)) {
      const tile = document.createElement("canvas"), t = tile.getContext("2d");
      tile.width = 4;
      tile.height = 4;
      t.fillStyle = colour;
      t.fillRect(0, 0, 2, 4);
      t.globalAlpha = 0.45;
      t.fillRect(2, 0, 2, 4);
      if (this.#stripes.size > 200) this.#stripes.clear();
      this.#stripes.set(colour, c.createPattern(tile, "repeat"));
    }
    return this.#stripes.get(colour);
  }

  #outline(c, { lane, r, i }, width, top) {
    if (lane.folded && r > 0) return;
    const row = lane.rows[r], a = Math.max(-2, this.x(row.start[i])), b = Math.min(this.w + 2, this.x(row.end[i]));
    if (b < 0 || a > this.w) return;
    c.strokeStyle = this.model.colours.ink;
    c.lineWidth = width;
    c.strokeRect(a + width / 2, lane.y - top + HEAD + r * ROW + width / 2, Math.max(2, b - a - 1 - width), ROW - 1 - width);
    c.lineWidth = 1;
  }

  // above draws the whole frame, the axis, garbage collections and messages.
  #above(w, pointer, brush) {
    const { frame, win, model: { colours } } = this, tracks = (frame.collections.length ? 1 : 0) + (frame.texts.length ? 1 : 0);
    const { c } = begin(this.axis, MAP + AXIS + tracks * TRACK, w), whole = (t) => (t / frame.whole) * w;
    this.#map(c, w, whole);
    c.fillStyle = colours.soft;
    c.textAlign = "center";
    for (const t of this.#ticks()) {
      const x = this.x(t.t);
      c.fillRect(Math.round(x), MAP, 1, 4);
      const half = c.measureText(t.text).width / 2;
      if (x >= half && x <= w - half) c.fillText(t.text, x, MAP + 11); else if (t.t === 0) { c.textAlign = "left"; c.fillText("0", 2, MAP + 11); c.textAlign = "center"; }
    }
    let y = MAP + AXIS;
    if (frame.collections.length) { this.#collected(c, y, w); y += TRACK; }
    if (frame.texts.length) this.#texts(c, y, w);
    if (brush) {
      const [a, b] = brush.map(brush.small ? whole : (t) => this.x(t)).sort((p, q) => p - q);
      c.fillStyle = colours.select;
      c.fillRect(a, 0, b - a, MAP + AXIS);
      c.fillStyle = colours.ink;
      c.fillRect(a, 0, 1, MAP + AXIS);
      c.fillRect(b, 0, 1, MAP + AXIS);
      label(c, took(Math.abs(brush[1] - brush[0])), (a + b) / 2, MAP + 10, colours, "center", colours.ink);
    } else if (pointer !== null) {
      const text = stamp(pointer.t, win[1] - win[0]), half = c.measureText(text).width / 2 + 4, x = Math.max(half, Math.min(w - half, this.x(pointer.t)));
      label(c, text, x, MAP + 10, colours, "center", colours.ink);
    }
  }

  // map draws the outermost zones of the first lanes in the whole frame, and the window.
  #map(c, w, x) {
    const { frame, win, model: { colours, info, paths: { apart } } } = this, lanes = frame.lanes.slice(0, MAPPED), each = (MAP - 3) / Math.max(1, lanes.length);
    lanes.forEach((l, k) => {
      if (!l.rows.length) return;
      for (const { x: left, w: wide, i } of rects(l.rows[0], [0, frame.whole], w)) {
        const node = l.rows[0].node[i], zone = node < 0 ? -1 : apart.zone[node];
        c.fillStyle = colours.of(zone, info.zones[zone]?.wait);
        c.fillRect(left, 1 + k * each, Math.max(1, wide), each - 1);
      }
    });
    const a = x(win[0]), b = x(win[1]);
    c.globalAlpha = 0.7;
    c.fillStyle = colours.bg;
    c.fillRect(0, 0, a, MAP - 2);
    c.fillRect(b, 0, w - b, MAP - 2);
    c.globalAlpha = 1;
    c.strokeStyle = colours.soft;
    c.strokeRect(Math.max(0, a) + 0.5, 0.5, Math.max(3, Math.min(w, b) - a - 1), MAP - 3);
  }

  #collected(c, y, w) {
    const { colours } = this.model;
    for (const [from, to, pause] of this.frame.collections) {
      const a = Math.max(0, this.x(from)), b = Math.min(w, this.x(to));
      if (b <= 0 || a >= w) continue;
      c.fillStyle = this.#striped(c, colours.mark);
      c.globalAlpha = 0.5;
      c.fillRect(a, y + 1, Math.max(2, b - a), TRACK - 3);
      c.globalAlpha = 1;
      const text = fit(c, `garbage collection somewhere here, paused ${took(pause)}`, b - a - 8);
      if (text) label(c, text, a + 2, y + TRACK / 2, colours, "left", colours.ink);
    }
  }

  #texts(c, y, w) {
    const { colours } = this.model;
    let free = -Infinity;
    for (const [at, text] of this.frame.texts) {
      const x = this.x(at);
      if (x < 0 || x > w) continue;
      c.fillStyle = colours.mark;
      c.fillRect(x, y, 2, TRACK);
      if (x >= free) free = label(c, fit(c, text, Math.max(60, w - x - 8)), x + 3, y + TRACK / 2, colours) + 6;
    }
  }

  // tip writes a text beside the pointer.
  #tip(c, { x, y, tip }, w, h) {
    const { colours } = this.model, wide = Math.min(w - 4, Math.max(...tip.map((t) => c.measureText(t).width)) + 16), high = 16 * tip.length + 6;
    const left = Math.max(2, Math.min(w - wide - 2, x + 14)), top = y + 16 + high > h ? Math.max(0, y - high - 8) : y + 16;
    c.fillStyle = colours.panel;
    c.fillRect(left, top, wide, high);
    c.strokeStyle = colours.line;
    c.strokeRect(left + 0.5, top + 0.5, wide - 1, high - 1);
    c.textAlign = "left";
    tip.forEach((t, k) => { c.fillStyle = k ? colours.soft : colours.ink; c.fillText(fit(c, t, wide - 12), left + 8, top + 12 + 16 * k); });
  }

  // hit returns what is at a pixel of the box: the name of a lane, or a row and its rectangle.
  hit(x, y) {
    const s = this.shown.find((k) => k.y <= y && y < k.y + ROW), lane = (this.lanes || []).find((l) => l.y - this.box.scrollTop <= y && y < l.y - this.box.scrollTop + HEAD);
    if (lane) return { lane };
    if (!s) return null;
    const near = s.list.find((k) => k.x <= x && x < k.x + Math.max(1, k.w)) || s.list.find((k) => k.w < 4 && k.x - 2 <= x && x <= k.x + k.w + 2);
    return { lane: s.lane, r: s.r, rect: near || null };
  }

  // show scrolls so that a row of a lane is visible.
  show(lane, r) {
    const y = lane.y + HEAD + r * ROW, { box } = this;
    if (y - HEAD < box.scrollTop) box.scrollTop = y - HEAD;
    else if (y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW - box.clientHeight;
  }

  // inMap returns whether a height in the axis belongs to the map of the whole frame.
  inMap(y) { return y < MAP; }
}

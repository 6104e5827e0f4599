// SPDX-License-Identifier: BSD-3-Clause
// The table of zones: calls, time per frame, its distribution over the frames, and how the zone is sampled.
import { begin, under } from "./canvas.js";
import { percent } from "./extras.js";
import { amount, found, laneName, lanesOf, noun, took as ns, zoneName } from "./names.js";
import { bins } from "./tables.js";

const MOST = 200; // rows
const BINS = 60;
const NOTHING = { calls: NaN, mean: NaN, frame: NaN, self: NaN, waits: NaN, p50: NaN, p99: NaN, max: NaN, values: [] };
const COLUMNS = [
  { key: "name", title: "zone", about: "The zone, with its colour in the strip and in the call tree. A click shows it alone in the strip.", value: (r) => r.name },
  { key: "calls", title: "calls", about: "Calls that ended in these frames; of a sampled zone, those that were timed.", value: (r) => r.calls, text: (r) => amount(r.calls), from: 480 },
  { key: "mean", title: "mean", about: "Mean duration of a call, inner zones included.", value: (r) => r.mean, text: (r) => ns(r.mean), from: 720 },
  { key: "frame", title: "per frame", about: "Time in the zone per frame, inner zones included: the mean over these frames.", value: (r) => r.frame, text: (r) => ns(r.frame) },
  { key: "self", title: "self", about: "Time in the zone per frame, without inner zones.", value: (r) => r.self, text: (r) => ns(Math.max(0, r.self)), from: 480 },
  { key: "waits", title: "in waits", about: "Of the time in the zone per frame, that in zones that wait: strobe.NewWaitZone. A dash: no zone waits.", value: (r) => r.waits, text: (r) => ns(r.waits), from: 600 },
  { key: "ran", title: "ran", about: "The part of the time in the zone, without inner zones, in which it ran; else it was ready to run, or waited. It is that of the stretches that package capture has looked at since it was started. A dash: none.", value: (r) => r.ran?.running ?? NaN, text: (r) => (r.ran ? percent(r.ran.running) : "–"), tip: (r) => r.ran ? `ready ${percent(r.ran.ready)}, waited ${percent(r.ran.waiting)} of ${ns(r.ran.known)} that were looked at` : "", from: 720 },
  { key: "p99", title: "p99", of: true, about: "In 99 of 100 of these frames, the time in the zone was at most this.", value: (r) => r.p99, text: (r) => ns(r.p99) },
  { key: "max", title: "max", of: true, about: "The longest time in the zone in one of these frames.", value: (r) => r.max, text: (r) => ns(r.max) },
  { key: "spread", title: "spread", about: "How many frames spent how long in the zone, from 0 at the left to the maximum. Heights are logarithms. Drag over it to select frames." },
  { key: "every", title: "sampling", about: "Which calls of the zone are timed. Fewer calls cost less.", value: (r) => r.every, from: 600 },
];
const SAMPLING = [[1, "all"], [8, "1 in 8"], [64, "1 in 64"], [512, "1 in 512"], [-1, "off"]];

export class Zones {
  #rows = new Map(); #by = "frame"; #down = true; #sorted = -Infinity; #order = []; #held = false; #noun = "frame"; // and "sample", if the rows are about one

  // command posts a command to the program.
  constructor(table, more, model, act, command) {
    Object.assign(this, { table, more, model, act, command });
    const head = table.tHead.rows[0];
    for (const col of COLUMNS) {
      const th = document.createElement("th"), b = document.createElement(col.value ? "button" : "span");
      th.scope = "col";
      th.dataset.key = col.key;
      if (col.from) th.className = `from-${col.from}`; // the table width in pixels from which the column is shown
      b.textContent = col.title;
      b.title = col.about;
      if (!col.value) b.setAttribute("aria-description", col.about); // the title of a button is its description already
      if (col.value) { b.type = "button"; b.addEventListener("click", () => this.#sort(col.key)); }
      th.append(b);
      head.append(th);
    }
  }

  // word names what the columns are about.
  #word(noun, sample) {
    if (this.#noun === noun + sample) return;
    this.#noun = noun + sample;
    for (const [i, col] of COLUMNS.entries()) {
      const e = this.table.tHead.rows[0].cells[i].firstChild;
      e.title = `${col.about.replaceAll("frame", noun)}${sample && col.of ? " These are calls of a random sample of the latest minute; the quantiles at the top of the page are of all calls." : ""}`;
      if (col.of) e.textContent = `${col.title}${sample ? " of sample" : ""}`;
      if (col.key === "frame") e.textContent = `per ${noun}`;
    }
  }

  #sort(key) {
    this.#down = this.#by === key ? !this.#down : key !== "name";
    this.#by = key;
    this.#sorted = -Infinity;
    this.act.changed();
  }

  // first returns the zone of the first row.
  first() { return this.#order.find((r) => found(this.model, r.zone, r.lane))?.zone ?? null; }

  // tail brushes the frames above the 99th percentile of a zone.
  tail(zone) { const r = this.#order.find((row) => row.zone === zone); if (r) this.act.brush({ zone, lane: r.of, lo: r.p99, hi: Infinity }); }

  // draw draws rows; all are the rows including the frames that the brush leaves out. sample says that they are about a random sample.
  draw(chosen, all, sample) {
    const { model } = this, { view, info } = model, by = new Map(chosen.map((r) => [r.key, r]));
    const rows = all.map((r) => ({ ...(by.get(r.key) || { ...r, ...NOTHING }), all: r })); // so that a zone does not vanish under the pointer
    for (const r of rows) {
      Object.assign(r, { name: zoneName(model, r.zone), every: info.zones[r.zone]?.every ?? 1, ran: model.extras?.zone(r.zone), of: view.lane ?? (view.apart ? r.lane : null) });
      if (view.apart && lanesOf(model).length > 1) r.name = `${laneName(model, r.lane)}: ${r.name}`;
    }
    const now = performance.now(), place = new Map(this.#order.map((r, i) => [r.key, i])), col = COLUMNS.find((c) => c.key === this.#by);
    if (!this.#held && (now - this.#sorted > 2000 || view.frozen) || rows.some((r) => !place.has(r.key))) { // do not reorder rows all the time, nor under the pointer
      this.#sorted = now;
      const sign = this.#down ? -1 : 1;
      rows.sort((a, b) => { const x = col.value(a), y = col.value(b); return sign * (x < y ? -1 : x > y ? 1 : 0) || Number.isNaN(x) - Number.isNaN(y) || a.zone - b.zone; });
    } else rows.sort((a, b) => place.get(a.key) - place.get(b.key));
    this.#order = rows;
    const shown = rows.filter((r) => found(model, r.zone, r.lane));
    this.#word(noun(model), sample ? " sample" : "");
    for (const th of this.table.tHead.rows[0].cells) {
      if (th.dataset.key === this.#by) th.setAttribute("aria-sort", this.#down ? "descending" : "ascending"); else th.removeAttribute("aria-sort");
    }
    const body = this.table.tBodies[0], list = shown.slice(0, MOST), keep = new Set(list.map((r) => r.key));
    for (const [key, e] of this.#rows) if (!keep.has(key)) { e.row.remove(); this.#rows.delete(key); }
    const shownRows = list.map((r, i) => {
      const e = this.#rows.get(r.key) || this.#make(r);
      if (body.rows[i] !== e.row) body.insertBefore(e.row, body.rows[i] || null);
      this.#update(e, r);
      return e;
    });
    const sizes = shownRows.map((e) => [e.box.clientHeight, e.box.clientWidth]); // read all sizes first: resizing a canvas invalidates the layout
    shownRows.forEach((e, i) => this.#draw(e, ...sizes[i]));
    this.more.textContent = shown.length > MOST ? `${shown.length - MOST} more zones; search for them` : rows.length && !shown.length ? "no zone has this name" : "";
  }

  #make(r) {
    const row = document.createElement("tr"), th = document.createElement("th"), name = document.createElement("button"), span = document.createElement("span");
    const e = { row, name, span, cells: [], r };
    th.scope = "row";
    name.type = "button";
    const swatch = page.svg("svg", { width: 10, height: 10, "aria-hidden": "true" }, name);
    e.swatch = page.svg("rect", { width: 10, height: 10 }, swatch);
    name.append(span);
    name.addEventListener("click", () => this.act.zone(e.r.zone));
    th.append(name);
    row.append(th);
    for (const col of COLUMNS.slice(1)) {
      const td = row.insertCell();
      if (col.from) td.className = `from-${col.from}`;
      if (col.text) e.cells.push([td, col]);
      if (col.key === "spread") { td.className = "spread"; this.#spread(td, e); }
      if (col.key === "every") td.append(e.select = this.#sampling(e));
    }
    this.#rows.set(r.key, e);
    return e;
  }

  #sampling(e) {
    const s = document.createElement("select");
    for (const [value, text] of SAMPLING) s.add(new Option(text, value));
    s.title = COLUMNS.find((c) => c.key === "every").about;
    s.addEventListener("change", () => this.command({ zone: e.r.zone, every: Number(s.value) }));
    return s;
  }

  #spread(td, e) {
    const box = document.createElement("div"), canvas = document.createElement("canvas");
    box.className = "canvas";
    box.tabIndex = 0;
    box.setAttribute("role", "button");
    box.setAttribute("aria-description", "Enter selects the frames above the 99th percentile.");
    box.append(canvas);
    td.append(box);
    e.box = box;
    const bin = (x) => Math.max(0, Math.min(BINS - 1, Math.floor((x / box.clientWidth) * BINS))), edge = (n) => (n / BINS) * e.hi;
    const brush = (a, b) => this.act.brush({ zone: e.r.zone, lane: e.r.of, lo: edge(bin(a)), hi: bin(b) === BINS - 1 ? Infinity : edge(bin(b) + 1) });
    let from = null;
    const release = () => { from = null; this.#held = false; this.act.changed(); };
    box.addEventListener("pointerdown", (ev) => { box.setPointerCapture(ev.pointerId); from = under(box, ev).x; this.#held = true; });
    box.addEventListener("pointermove", (ev) => {
      const { x } = under(box, ev), [a, b] = [from, x].sort((p, q) => p - q);
      if (from !== null && b - a > 3) brush(a, b);
      else box.title = ns(edge(bin(x)));
    });
    box.addEventListener("pointerup", (ev) => { if (from !== null && Math.abs(under(box, ev).x - from) <= 3) this.act.brush(null); release(); });
    box.addEventListener("pointercancel", release);
    box.addEventListener("keydown", (ev) => { if (ev.key === "Enter") this.tail(e.r.zone); });
  }

  #update(e, r) {
    const { view, colours, info } = this.model, own = view.brush && view.brush.zone === r.zone && view.brush.lane === r.of ? view.brush : null;
    e.r = r;
    if (e.span.textContent !== r.name) e.span.textContent = r.name;
    e.name.title = `Show this zone alone in the strip${info.zones[r.zone]?.where ? `: ${info.zones[r.zone].where}` : ""}`;
    e.swatch.setAttribute("fill", colours.of(r.zone, info.zones[r.zone]?.wait));
    e.name.setAttribute("aria-pressed", view.zone === r.zone);
    e.row.className = view.zone === r.zone ? "on" : "";
    for (const [td, col] of e.cells) { const text = col.text(r); if (td.textContent !== text) td.textContent = text; if (col.tip) td.title = col.tip(r); }
    if (document.activeElement !== e.select) {
      if (!SAMPLING.some(([v]) => v === r.every) && ![...e.select.options].some((o) => Number(o.value) === r.every)) e.select.add(new Option(`1 in ${r.every}`, r.every));
      e.select.value = r.every;
      e.select.setAttribute("aria-label", `Sampling of ${r.name}`);
    }
    e.box.setAttribute("aria-label", `Time in ${r.name} per frame: median ${ns(r.p50)}, 99th percentile ${ns(r.p99)}, longest ${ns(r.max)}.`);
    e.brush = own;
    e.shown = own ? r.all : r;
    e.hi = e.shown.max || 1;
  }

  #draw(e, height, width) {
    const { brush, shown: { values } } = e, { colours } = this.model, { c, w, h } = begin(e.box, height, width), n = bins(values, e.hi, BINS), most = Math.log1p(Math.max(1, ...n)), each = w / BINS;
    c.fillStyle = colours.grid;
    c.fillRect(0, h - 1, w, 1);
    n.forEach((count, i) => { // heights are logarithmic, so that a single frame is visible
      const lo = (i / BINS) * e.hi, hi = ((i + 1) / BINS) * e.hi, height = count ? 2 + (Math.log1p(count) / most) * (h - 4) : 0;
      c.fillStyle = brush && (hi < brush.lo || lo > brush.hi) ? colours.other : colours.of(e.r.zone);
      c.fillRect(i * each, h - height, Math.max(1, each - 1), height);
    });
    if (!brush) return;
    const a = (brush.lo / e.hi) * w, b = Math.min(1, brush.hi / e.hi) * w;
    c.fillStyle = colours.select;
    c.fillRect(a, 0, Math.max(2, b - a), h);
    c.fillStyle = colours.ink;
    c.fillRect(a, 0, 1, h);
  }
}

// SPDX-License-Identifier: BSD-3-Clause The timeline of the chosen frame: requests its spans, draws and describes them.
import { Drawing } from "./drawing.js";
import { Hands } from "./hands.js";
import { noun, pathName, took, zoneName } from "./names.js";
import { collections, find, gap, lay, own, stamp, zoom } from "./spans.js";

const ROWS = 200; // of the table
const say = (e, text) => { if (e.textContent !== text) e.textContent = text; };

export class Timeline {
  win = [0, 1]; // ns from the start of the frame
  chosen = null; // a span, { lane, r, i }
  pointed = null; // another span, under the pointer
  pointer = null; // { x, y, t, tip }
  brush = null; // [from, to] while it is dragged; small is set in the map of the whole frame
  #key = ""; #answer = null; #frame = null; #asked = null; #waiting = false;

  constructor(model, act, tracks) {
    Object.assign(this, { model, act, tracks });
    const { byId } = page, e = (name) => byId(`timeline${name}`);
    Object.assign(this, { section: e(""), name: e("-name"), scope: e("-scope"), read: e("-read"), notes: e("-notes"), list: e("-list"), fitted: e("-fit"), box: e("-lanes") });
    this.drawing = new Drawing(e("-axis"), this.box, model);
    new Hands(this, e("-axis"), this.box);
    byId("timeline-fit").addEventListener("click", () => this.fit());
    byId("timeline-in").addEventListener("click", () => this.zoom(0.5));
    byId("timeline-out").addEventListener("click", () => this.zoom(2));
    this.list.addEventListener("toggle", () => this.#fill());
    this.box.addEventListener("scroll", () => this.draw());
  }

  // show shows the chosen frame. It requests the spans once.
  show() {
    const { view, info } = this.model, f = view.frame, key = f ? `${info.run} ${info.loop} ${info.root ?? ""} ${f.number} ${f.start} ${view.lane ?? ""}` : "";
    this.section.hidden = !f;
    if (key !== this.#key) {
      const same = f && this.#frame && this.#frame.start === f.start; // of another lane
      this.#key = key;
      if (!same) Object.assign(this, { chosen: null, pointed: null, brush: null, win: [0, Math.max(1, f?.took ?? 1)] });
      if (!same) this.#answer = this.#frame = null;
      if (f) this.#ask(f);
    }
    if (f) this.#tell();
  }

  async #ask(f) {
    const { info, view } = this.model;
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    let answer;
    try {
      const lane = view.lane >= 0 && view.lane !== null ? `&lane=${view.lane}` : "";
      const r = await fetch((info.root ?? null) !== null ? `unit?root=${info.root}&unit=${f.number}` : `spans?frame=${f.number}&loop=${encodeURIComponent(info.loop)}${lane}`, { signal: asked.signal });
      if (!r.ok) throw new Error((await r.text()).trim());
      answer = await r.json();
      if (answer.lanes && (answer.run !== info.run || answer.start_ns !== f.start)) answer = { reason: `the program no longer knows this ${noun(this.model)}` };
    } catch (e) {
      if (asked.signal.aborted) return;
      answer = { reason: `the spans cannot be read: ${e.message}` };
    }
    if (asked.signal.aborted) return;
    this.#answer = answer;
    this.#arrange(f);
    this.show();
  }

  // arrange lays out the response.
  #arrange(f) {
    const a = this.#answer, { paths: { apart }, view, info } = this.model, whole = Math.max(1, f.took);
    const shown = (l) => view.lane === null || view.lane < -1 && Boolean(l.own) === (view.lane === -2) || l.id === view.lane || view.lane < 0 && !info.lanes.has(l.id);
    const lanes = (a.lanes || []).filter(shown).map((l) => ({ id: l.id, name: l.name, own: l.own, spans: l.spans.length / 3, rows: lay(l.spans, apart), folded: false }));
    this.#frame = { start: f.start, whole, lanes, complete: !a.left_out && !a.lost };
    this.chosen = this.pointed = this.pointer = null;
  }

  // tell writes the text around the picture, and draws it.
  #tell() {
    const { view } = this.model, f = view.frame, drawn = this.#frame;
    say(this.fitted, `Whole ${noun(this.model)}`);
    say(this.name, `Timeline of ${noun(this.model)} ${f.number || "that has not ended"}`);
    this.box.hidden = this.list.hidden = !drawn?.lanes.length;
    if (drawn) Object.assign(drawn, { collections: collections(this.tracks.gc, drawn.start, drawn.whole), texts: this.tracks.texts(drawn.start, drawn.start + drawn.whole) }); // some arrive later
    const notes = this.#limits().join("\n");
    if (this.notes.dataset.key !== notes) {
      this.notes.dataset.key = notes;
      this.notes.replaceChildren(...notes.split("\n").filter(Boolean).map((line) => { const li = document.createElement("li"); li.textContent = line; return li; }));
    }
    this.#sight();
  }

  // sight describes what is visible, and draws it.
  #sight() {
    const { view } = this.model, drawn = this.#frame, n = drawn ? drawn.lanes.reduce((s, l) => s + l.spans, 0) : 0, [lo, hi] = this.win, words = [], text = view.find.trim();
    if (drawn && !this.#answer.reason) words.push(`${n} span${n === 1 ? "" : "s"} on ${drawn.lanes.length} lane${drawn.lanes.length === 1 ? "" : "s"}`);
    if (drawn && hi - lo < drawn.whole) words.push(`${took(hi - lo)} of ${took(drawn.whole)}, from ${stamp(lo, hi - lo)}`);
    if (text && drawn) words.push(`${this.#matches(text.toLowerCase())} of ${text}`);
    say(this.scope, words.join(" · "));
    this.#fill();
    this.#say();
    this.draw();
  }

  #matches(text) {
    const { model, model: { paths: { apart } } } = this;
    let n = 0;
    for (const l of this.#frame.lanes) for (const row of l.rows) for (const node of row.node) if (l.name.toLowerCase().includes(text) || zoneName(model, node < 0 ? -1 : apart.zone[node]).toLowerCase().includes(text)) n++;
    return n;
  }

  // limits says what is missing.
  #limits() {
    const a = this.#answer, { info, paths: { apart } } = this.model, out = [], some = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
    if (this.model.view.frame?.open) return ["It has not ended: its spans come when it has."];
    if (!a) return out;
    if (a.reason) return [`There is no timeline: ${a.reason}.`];
    for (const what of a.missing || []) out.push(`Missing: ${what}.`);
    if (!a.lanes.length) out.push("No span lies in this frame.");
    if (a.left_out) out.push(`A ${noun(this.model)} keeps its longest spans: ${some(a.left_out, "shorter one")}, each up to ${took(a.left_out_ns || 0)}, ${a.left_out === 1 ? "is" : "are"} left out.`);
    if (a.lost) out.push(`Up to ${some(a.lost, "span")} of this time ${a.lost === 1 ? "was" : "were"} overwritten before being read. Use a larger recording: strobe.Record.`);
    if (a.more_lanes) out.push(`${some(a.more_lanes, "more lane")}, which worked less, ${a.more_lanes === 1 ? "is" : "are"} left out. Find a lane, below the call tree, to see it.`);
    if (a.still_lanes) out.push(`${some(a.still_lanes, "more lane")} had spans open, but nothing began or ended there in this frame.`);
    const zones = new Set();
    for (const l of this.#frame.lanes) for (const row of l.rows) for (const node of row.node) if (node >= 0 && info.zones[apart.zone[node]]?.every > 1) zones.add(apart.zone[node]);
    for (const z of zones) out.push(`Of ${zoneName(this.model, z)}, one in ${info.zones[z].every} calls is timed. Only these are shown.`);
    return out;
  }

  // fill writes the visible spans into the table, if it is open.
  #fill() {
    const f = this.#frame;
    if (!this.list.open || !f) return;
    const [lo, hi] = this.win, all = [];
    for (const lane of f.lanes) lane.rows.forEach((row, r) => row.start.forEach((start, i) => { if (start < hi && row.end[i] > lo) all.push({ lane, r, i }); }));
    const length = ({ lane, r, i }) => lane.rows[r].end[i] - lane.rows[r].start[i];
    all.sort((p, q) => length(q) - length(p) || 0);
    const body = this.list.querySelector("tbody");
    body.replaceChildren(...all.slice(0, ROWS).map((s) => {
      const row = document.createElement("tr"), th = document.createElement("th"), b = document.createElement("button");
      th.scope = "row";
      b.type = "button";
      b.textContent = this.#path(s);
      b.title = "Shows this span in the timeline";
      b.addEventListener("click", () => { this.choose(s); this.drawing.show(s.lane, s.r); });
      th.append(b);
      row.append(th);
      const { start, end } = this.#times(s);
      for (const text of [s.lane.name, start, end]) row.insertCell().textContent = text;
      return row;
    }));
    this.list.querySelector("p").textContent = all.length > ROWS ? `${all.length - ROWS} shorter spans: zoom in to see them here` : "";
  }

  #path({ lane, r, i }) { return pathName({ ...this.model, view: { apart: false } }, this.model.paths.apart, lane.rows[r].node[i]).replace("outside any zone", "other zones"); }

  #at(t) { return `at ${stamp(t, Math.max(1, Math.min(t, this.win[1] - this.win[0])))}`; }

  // times writes when a span began and how long it took.
  #times({ lane, r, i }) {
    const { whole } = this.#frame, a = lane.rows[r].start[i], b = lane.rows[r].end[i];
    return { start: a < 0 ? `${took(-a)} before the ${noun(this.model)}` : this.#at(a), end: b === Infinity ? "had not ended" : b > whole ? `${took(b - a)}, ends ${took(b - whole)} after the ${noun(this.model)}` : took(b - a) };
  }

  // words describes a span.
  #words(s) {
    const { lane, r, i } = s, { whole } = this.#frame, row = lane.rows[r], inside = Math.min(whole, row.end[i]) - Math.max(0, row.start[i]), { start, end } = this.#times(s);
    return [this.#path(s), end, start, `self ${took(own(lane.rows, r, i, whole))} and ${page.digits((100 * inside) / whole, 3)} % of the ${noun(this.model)}`, `lane ${lane.name}`];
  }

  // say describes what is under the pointer, or else what is chosen.
  #say() {
    const s = this.pointed || this.chosen, text = this.pointer?.text || (s ? this.#words(s).join(" · ") : this.#frame?.lanes.length ? "Wheel or + − zoom, dragging moves, a double click shows all." : this.#answer ? "" : "…");
    say(this.read, text);
  }

  // point describes what is at a pixel of the lanes; null if the pointer has left.
  point(at) {
    const { drawing } = this, f = this.#frame;
    this.pointed = this.pointer = null;
    if (at && f) {
      const t = drawing.at(at.x), hit = drawing.hit(at.x, at.y), rect = hit?.rect;
      this.pointer = { ...at, t };
      if (rect && rect.n > 1) {
        this.pointer.text = `${rect.n} spans too short to be drawn, ${took(rect.busy)} in all, the longest ${this.#path({ ...hit, i: rect.i })} · lane ${hit.lane.name}`;
        this.pointer.tip = [`${rect.n} spans, ${took(rect.busy)} in all`, `too short to be drawn; the longest is ${this.#path({ ...hit, i: rect.i })}`];
      } else if (rect) {
        this.pointed = { lane: hit.lane, r: hit.r, i: rect.i };
        const [path, end, start, self] = this.#words(this.pointed);
        this.pointer.tip = [`${path}  ${end}`, `${start} · ${self}`];
      } else if (hit?.r === 0 && find(hit.lane.rows[0] || { start: [], end: [] }, t) < 0) {
        const [a, b] = gap(hit.lane.rows[0], t, f.whole), what = f.complete ? "outside any zone" : "without a span that is kept";
        this.pointer.text = `${what} · ${took(b - a)} · ${this.#at(a)} · lane ${hit.lane.name}`;
        this.pointer.tip = [`${what}  ${took(b - a)}`];
      }
    }
    this.#say();
    this.draw();
  }

  // press handles a click at a pixel of the lanes.
  press(at) {
    const hit = this.drawing.hit(at.x, at.y);
    if (hit?.lane && hit.r === undefined) { hit.lane.folded = !hit.lane.folded; this.draw(); return; }
    this.choose(hit?.rect ? { lane: hit.lane, r: hit.r, i: hit.rect.i } : null);
  }

  // choose selects a span, whose zone is highlighted everywhere, or none.
  choose(s) {
    const { view, paths: { apart } } = this.model, node = s ? s.lane.rows[s.r].node[s.i] : -1, zone = node < 0 ? null : apart.zone[node];
    this.chosen = s;
    if (zone !== view.zone) this.act.zone(zone ?? view.zone);
    else this.#tell();
  }

  // go moves from the chosen span to another: along its row, to the outer or an inner one, or to another lane.
  go(key) {
    const f = this.#frame;
    if (!f?.lanes.length) return;
    const first = (lane) => (lane?.rows.length ? { lane, r: 0, i: Math.min(lane.rows[0].start.length - 1, Math.max(0, find(lane.rows[0], this.win[0]))) } : null);
    const s = this.chosen, { lane, r, i } = s || {}, row = s && lane.rows[r], k = f.lanes.indexOf(lane);
    let to = null;
    if (!s) to = first(f.lanes[0]);
    else if (key === "ArrowRight" || key === "ArrowLeft") { const n = i + (key === "ArrowRight" ? 1 : -1); if (n >= 0 && n < row.start.length) to = { lane, r, i: n }; }
    else if (key === "ArrowUp") { const n = r > 0 ? find(lane.rows[r - 1], row.start[i]) : -1; to = n >= 0 ? { lane, r: r - 1, i: n } : first(f.lanes[k - 1]); }
    else {
      const below = lane.rows[r + 1], n = below ? below.start.findIndex((start, j) => below.end[j] > row.start[i] && start < row.end[i]) : -1;
      to = n >= 0 ? { lane, r: r + 1, i: n } : first(f.lanes[k + 1]);
    }
    if (!to) return;
    to.lane.folded &&= to.r === 0;
    const a = Math.max(0, to.lane.rows[to.r].start[to.i]), b = Math.min(f.whole, to.lane.rows[to.r].end[to.i]), [lo, hi] = this.win;
    if (b <= lo || a >= hi) { const mid = Math.max(0, Math.min(f.whole - (hi - lo), (a + b) / 2 - (hi - lo) / 2)); this.win = [mid, mid + hi - lo]; }
    this.choose(to);
    this.drawing.show(to.lane, to.r);
  }

  // zoom zooms around the chosen span, if it is visible, or the middle.
  zoom(by, at) {
    const [lo, hi] = this.win, s = this.chosen, row = s?.lane.rows[s.r], mid = s ? (Math.max(lo, row.start[s.i]) + Math.min(hi, row.end[s.i])) / 2 : NaN;
    this.look(zoom(this.win, by, at ?? (mid > lo && mid < hi ? mid : (lo + hi) / 2), this.whole));
  }

  // into zooms to the chosen span.
  into() {
    const s = this.chosen;
    if (!s) return;
    const a = Math.max(0, s.lane.rows[s.r].start[s.i]), b = Math.min(this.whole, s.lane.rows[s.r].end[s.i]), edge = 0.05 * (b - a);
    this.look([Math.max(0, a - edge), Math.min(this.whole, b + edge)]);
  }

  get whole() { return this.#frame?.whole ?? 1; }
  fit() { this.look([0, this.whole]); }
  look(win) { this.win = win; this.pointer = this.pointed = null; this.#sight(); }

  // draw requests a picture.
  draw() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      const f = this.#frame;
      if (f && !this.section.hidden && f.lanes.length) this.drawing.draw(f, this.win, this.chosen, this.pointed, this.pointer, this.brush);
    });
  }
}

// SPDX-License-Identifier: BSD-3-Clause The slowest units of a root zone with their notes, those that have not ended first.
import { percent, told } from "./extras.js";
import { laneName, noun, took } from "./names.js";

const ROWS = 50;

export class Slowest {
  #key = "";
  constructor(section, model, act) {
    Object.assign(this, { section, model, act, body: section.querySelector("tbody"), more: section.querySelector("p"), find: section.querySelector("input") });
    this.find.addEventListener("input", () => act.noted(this.find.value));
  }

  // list returns the units to show; with a search text also those that were not slow.
  list() {
    const { frames, view, extras, info } = this.model, text = view.noted.trim().toLowerCase(), { from, to, band, cloud } = view.filter, calls = info.root !== null;
    const has = (u) => !text || extras.notes(u).toLowerCase().includes(text), all = [], end = (u) => u.end ?? u.start + u.took;
    for (const u of calls ? kept(frames) : this.#frames(Boolean(text))) {
      if (calls && !u.slow && !text || !has(u)) continue;
      if ((view.range && (end(u) < from || end(u) >= to)) || u.value < band[0] || u.value > band[1] || cloud && (u.value < cloud[0] || u.value > cloud[1])) continue;
      all.push(u);
    }
    all.sort((a, b) => b.value - a.value);
    return [...(calls ? frames.open.filter(has) : []), ...all];
  }

  // frames returns the longest frames, or all that have notes.
  #frames(search) {
    const { frames, extras } = this.model;
    if (!search) return frames.worst;
    const long = new Map(frames.worst.map((f) => [f.number, f]));
    for (const n of extras.noted) { const i = long.has(n) ? -1 : frames.place(n); if (i >= 0) long.set(n, frames.copy(i)); }
    return [...long.values()];
  }

  draw() {
    const { view, info, reports, extras } = this.model, calls = info.root !== null, noun = calls ? "call" : "frame";
    this.section.hidden = !calls && !extras.noted.length; // the bar of the worst frames says as much
    if (this.section.hidden) return;
    const list = this.list(), shown = list.filter((u, i) => i < ROWS || reports.of(this.model, u));
    const key = `${info.root} ${info.loop} ${view.noted} ${view.frame?.number} ${reports.count} ${extras.count} ${shown.map((u) => `${u.number} ${u.open ? Math.floor(u.took / 1e9) : ""}`)}`;
    if (key === this.#key) return;
    this.#key = key;
    this.section.classList.toggle("causes", reports.count > 0);
    this.section.querySelector("h2").textContent = calls ? "Slowest calls" : "Worst frames and their notes";
    this.section.classList.toggle("splits", shown.some((u) => extras.split(u)));
    this.body.replaceChildren(...shown.map((u) => this.#row(u)));
    this.more.textContent = list.length > shown.length ? `${list.length - shown.length} more: search, or select some in the picture` : list.length ? "" : view.noted ? `No ${noun} that is kept has such a note.` : `No ${noun} has ended yet.`;
  }

  #row(u) {
    const { model, model: { view, info, reports, extras } } = this, row = document.createElement("tr"), th = document.createElement("th"), b = document.createElement("button"), is = view.frame?.number === u.number && view.frame?.start === u.start;
    th.scope = "row";
    b.type = "button";
    b.textContent = u.open ? `${page.duration(Math.floor(u.took / 1e9) * 1e9)} so far` : took(u.took);
    b.title = `Shows this ${noun(model)}, and what differs from the median ${noun(model)}. Keys: W, Shift W`;
    b.dataset.unit = u.number;
    b.setAttribute("aria-pressed", is);
    b.addEventListener("click", () => this.act.choose(u));
    th.append(b);
    row.append(th);
    row.className = is ? "on" : "";
    const cell = (text, name) => { const td = row.insertCell(); td.textContent = text; td.className = `text ${name}`; return td; };
    cell(u.open ? "has not ended" : new Date(info.wall + (u.end ?? u.start + u.took) / 1e6).toLocaleTimeString(), "when");
    const [cause, why] = reports.cause(model, u), td = cell(cause, "cause");
    if (why) { td.title = why; td.classList.add("sub"); }
    this.#ran(u, cell("", "ran"));
    cell(extras.notes(u), "notes");
    cell(info.root === null ? "" : info.lanes.has(u.lane) ? laneName(model, u.lane) : u.goroutine ? `g${u.goroutine}` : `lane ${u.lane}`, "lane");
    return row;
  }

  // ran shows which part of its time a call ran, and in the tooltip the rest.
  #ran(u, td) {
    const { model, model: { extras } } = this, split = extras.split(u), sum = (split || []).reduce((a, b) => a + b, 0);
    td.textContent = sum ? percent(split[0] / sum) : u.open ? "not yet" : "not seen";
    td.title = sum ? told(split, extras.looks?.displaced, took) : u.open ? "" : extras.why(noun(model));
    if (!sum) td.classList.add("sub");
  }
}

// kept returns all calls.
function* kept(frames) { for (let i = 0; i < frames.end; i++) yield frames.copy(i); }


// SPDX-License-Identifier: BSD-3-Clause The slowest units of a root zone with their notes, those that have not ended first.
import { laneName, took } from "./names.js";
import { noted } from "./units.js";

const ROWS = 50;

export class Slowest {
  #key = "";
  constructor(section, model, act) {
    Object.assign(this, { section, model, act, body: section.querySelector("tbody"), more: section.querySelector("p"), find: section.querySelector("input") });
    this.find.addEventListener("input", () => act.noted(this.find.value));
  }

  // list returns the units to show; with a search text also those that were not slow.
  list() {
    const { frames, view } = this.model, text = view.noted.trim().toLowerCase(), { from, to, band, cloud } = view.filter, all = [];
    for (let i = 0; i < frames.end; i++) {
      const u = frames.copy(i);
      if (!u.slow && !text || text && !noted(u).toLowerCase().includes(text)) continue;
      if ((view.range && (u.end < from || u.end >= to)) || u.value < band[0] || u.value > band[1] || cloud && (u.value < cloud[0] || u.value > cloud[1])) continue;
      all.push(u);
    }
    all.sort((a, b) => b.value - a.value);
    return [...frames.open.filter((u) => !text || noted(u).toLowerCase().includes(text)), ...all];
  }

  draw() {
    const { view, info, reports } = this.model, list = this.list(), shown = list.filter((u, i) => i < ROWS || reports.of(this.model, u));
    const key = `${info.root} ${view.noted} ${view.frame?.number} ${reports.count} ${shown.map((u) => `${u.number} ${u.open ? Math.floor(u.took / 1e9) : ""}`)}`;
    if (key === this.#key) return;
    this.#key = key;
    this.section.classList.toggle("causes", reports.count > 0);
    this.body.replaceChildren(...shown.map((u) => this.#row(u)));
    this.more.textContent = list.length > shown.length ? `${list.length - shown.length} more: search, or select some in the picture` : list.length ? "" : view.noted ? "No call that is kept has such a note." : "No call has ended yet.";
  }

  #row(u) {
    const { model, model: { view, info, reports } } = this, row = document.createElement("tr"), th = document.createElement("th"), b = document.createElement("button"), is = view.frame?.number === u.number && view.frame?.start === u.start;
    th.scope = "row";
    b.type = "button";
    b.textContent = u.open ? `${page.duration(Math.floor(u.took / 1e9) * 1e9)} so far` : took(u.took);
    b.title = "Shows this call, and what differs from the median call. Keys: W, Shift W";
    b.dataset.unit = u.number;
    b.setAttribute("aria-pressed", is);
    b.addEventListener("click", () => this.act.choose(u));
    th.append(b);
    row.append(th);
    row.className = is ? "on" : "";
    const cell = (text, name) => { const td = row.insertCell(); td.textContent = text; td.className = `text ${name}`; return td; };
    cell(u.open ? "has not ended" : new Date(info.wall + u.end / 1e6).toLocaleTimeString(), "when");
    const [cause, why] = reports.cause(model, u), td = cell(cause, "cause");
    if (why) { td.title = why; td.classList.add("sub"); }
    cell(noted(u), "notes");
    cell(info.lanes.has(u.lane) ? laneName(model, u.lane) : u.goroutine ? `g${u.goroutine}` : `lane ${u.lane}`, "lane");
    return row;
  }
}

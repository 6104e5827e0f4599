// SPDX-License-Identifier: BSD-3-Clause
// Why a frame or a call was slow, from the reports of package capture: the sentence, and where its time went.
import { took } from "./names.js";

const MOST = 256; // reports
const SMALL = 0.01; // of the duration; smaller parts are left out
const APART = 50e6; // ns between the start of a report, on the wall clock, and that of its frame or call

export class Reports {
  #all = [];
  add(list) { this.#all.push(...list); if (this.#all.length > MOST) this.#all.splice(0, this.#all.length - MOST); }
  clear() { this.#all = []; }
  get count() { return this.#all.length; }

  // cause returns the cause of a call, or a word and a sentence that say why none is known.
  cause(model, u) {
    const report = u.open ? undefined : this.of(model, u);
    return report ? [report.cause] : NONE[u.open ? "open" : u.slow ? "slow" : "usual"];
  }

  // of returns the report of a frame of a loop or of a call of a root zone; undefined if there is none.
  of({ info }, u) {
    const call = (info.root ?? null) !== null, name = call ? info.zones[info.root]?.name : info.loop;
    const near = (r) => Math.abs(r.duration_ns - u.took) <= Math.max(1e4, 1e-4 * u.took) && Math.abs(r.start_ns - u.start) <= APART;
    return this.#all.findLast((r) => (r.unit === "span") === call && r.root === name && (!call || !r.goroutine || r.goroutine === u.goroutine) && near(r));
  }
}

// NONE says why a call has no report: a word, and a sentence about it.
const NONE = {
  open: ["not yet", "Package capture explains a call when it has ended."],
  usual: ["usual", "Package capture explains only calls that take much longer than usual."],
  slow: ["no report", "Package capture explains calls that take much longer than usual, but not all of those that come at the same time, and none from before it was started. Reports of long ago are no longer kept here."],
};

// place says where a part of the time was spent, as the file of a capture does.
const place = (p) => [p.zone && `zone ${p.zone}`, p.where, p.by].filter(Boolean).join(", ");

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export class Account {
  #shown = null;
  constructor(box, model) { Object.assign(this, { box, model }); }

  // draw shows the report of the chosen frame or call, or nothing.
  draw() {
    const { model, model: { view, reports } } = this, r = view.frame && !view.frame.open ? reports.of(model, view.frame) : undefined;
    this.box.hidden = !r;
    if (r === this.#shown) return;
    this.#shown = r;
    if (!r) return;
    const p = document.createElement("p"), strong = document.createElement("strong");
    strong.textContent = sentence(r.text);
    p.append(strong);
    for (const text of [r.next, ...(r.degrees || [])].filter(Boolean)) { const small = document.createElement("small"); small.textContent = sentence(text); p.append(document.createElement("br"), small); }
    const file = document.createElement("a");
    file.href = `capture?report=${r.number}`;
    file.download = "";
    file.textContent = "Save with its evidence";
    file.title = "Saves a page that shows this anywhere: the sentence, the account, and a timeline while its evidence is kept";
    this.box.replaceChildren(p, this.#table(r), file);
  }

  #table(r) {
    const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody(), all = r.account || [], list = all.filter((k) => k.took_ns >= SMALL * r.duration_ns || k.usual_ns >= SMALL * r.duration_ns);
    for (const name of ["cause", "", "this time", "usual", "where"]) { const th = document.createElement("th"); th.scope = "col"; th.textContent = name; if (name === "where") th.className = "text"; head.append(th); }
    const most = Math.max(1, ...list.map((k) => Math.max(k.took_ns, k.usual_ns || 0)));
    for (const k of list) {
      const row = body.insertRow(), cell = (text) => { const td = row.insertCell(); td.textContent = text; return td; };
      cell(k.cause);
      const bar = page.svg("svg", { width: 120, height: 12, "aria-hidden": "true" }, row.insertCell());
      page.svg("rect", { class: k.cause === r.cause ? "main" : "part", width: (120 * k.took_ns) / most, height: 7 }, bar);
      page.svg("rect", { class: "usual", y: 8, width: (120 * (k.usual_ns || 0)) / most, height: 3 }, bar);
      cell(took(k.took_ns));
      cell(r.usual_ns ? took(k.usual_ns || 0) : "");
      cell(place(k)).className = "text";
    }
    if (list.length < all.length) table.createCaption().textContent = `${all.length - list.length} parts below ${100 * SMALL} % are left out.`;
    return table;
  }
}

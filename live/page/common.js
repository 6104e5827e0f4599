// SPDX-License-Identifier: BSD-3-Clause
// What selected units have in common that others have not: where their time went, notes, lanes.
import { pathName, took } from "./names.js";
import { self, treeOf } from "./tables.js";

const ROWS = 8;
const Z = 1.96; // of 95 % intervals

// wilson returns the bounds of a share, k of n.
function wilson(k, n) {
  const p = k / n, m = 1 + (Z * Z) / n, mid = (p + (Z * Z) / (2 * n)) / m, half = (Z * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n))) / m;
  return [Math.max(0, mid - half), Math.min(1, mid + half)];
}

// apart returns the least difference between two shares that the numbers allow for, as Newcombe's interval has it: with few units a
// difference counts less.
export function apart(k, n, others, of) {
  if (!n || !of) return 0;
  const p = k / n, q = others / of, [lo] = wilson(k, n), [, hi] = wilson(others, of);
  return p - q - Math.hypot(p - lo, hi - q);
}

// common returns what units have more often than others, and where their time went, the largest difference first. space is the one with
// lanes apart. Each row has a weight between 0 and 1: of the difference between shares, or the part of the longer duration.
export function common(chosen, others, space) {
  const out = [], n = chosen.length, of = others.length;
  if (!n || !of) return out;
  const count = (list) => {
    const by = new Map();
    for (const u of list) for (const key of new Set([...u.notes.map(([k, v]) => JSON.stringify(["note", k, v])), JSON.stringify(["lane", u.lane, u.goroutine])])) by.set(key, (by.get(key) || 0) + 1);
    return by;
  };
  const now = count(chosen), was = count(others);
  for (const [key, k] of now) {
    const weight = apart(k, n, was.get(key) || 0, of);
    if (weight > 0) { const [kind, name, value] = JSON.parse(key); out.push({ kind, name, value, weight, share: k / n, base: (was.get(key) || 0) / of, k, others: was.get(key) || 0 }); }
  }
  const mean = (list) => {
    const own = new Float64Array(space.zone.length);
    let value = 0;
    for (const u of list) { self(treeOf(u, space), space).forEach((v, node) => { own[node] += v / list.length; }); value += u.value / list.length; }
    return { own, value };
  };
  const a = mean(chosen), b = mean(others), more = a.value - b.value;
  if (more > 0) a.own.forEach((v, node) => { const weight = (v - b.own[node]) / more; if (weight >= 0.05) out.push({ kind: "zone", node, weight, now: v, was: b.own[node] }); });
  return out.sort((x, y) => y.weight - x.weight);
}

export class Common {
  #key = "";
  constructor(box, model) { Object.assign(this, { box, model }); }

  // draw shows what units have in common that others have not, or nothing.
  draw(chosen, others) {
    const { model } = this, key = chosen.length ? `${chosen.map((u) => u.number)} ${others.length}` : "";
    this.box.hidden = !chosen.length;
    if (key === this.#key) return;
    this.#key = key;
    if (!chosen.length) return;
    const list = common(chosen, others, model.paths.apart), p = document.createElement("p"), strong = document.createElement("strong"), small = document.createElement("small");
    strong.textContent = list.length ? this.#sentence(list[0], chosen.length) : others.length ? "Nothing sets these calls apart from others: no zone, note or lane." : "There are no other calls to compare these with.";
    small.textContent = `${chosen.length} of the calls that are kept, and ${others.length} others of the latest minute.`;
    p.append(strong, document.createElement("br"), small);
    this.box.replaceChildren(p, ...(list.length ? [this.#table(list.slice(0, ROWS))] : []));
  }

  #what(d) {
    if (d.kind === "note") return d.name ? `${d.name}=${d.value}` : d.value;
    return d.kind === "lane" ? this.#lane(d) : pathName({ ...this.model, view: { apart: false } }, this.model.paths.apart, d.node);
  }

  #lane(d) { return this.model.info.lanes.get(d.name) ?? (d.value ? `goroutine ${d.value}` : `lane ${d.name}`); }

  #sentence(d, n) {
    if (d.kind === "zone") return `${this.#what(d)} took ${took(d.now)} in these calls, ${took(d.now - d.was)} more than in others.`;
    const some = d.k === n ? (n === 1 ? "This call has" : `All ${n} calls have`) : `${d.k} of these ${n} calls have`;
    return `${d.kind === "lane" ? some.replace(/ha(s|ve)$/, "ran on") : some} ${this.#what(d)}; ${percent(d.base)} of others ${d.kind === "lane" ? "did" : "have it"}.`;
  }

  #table(list) {
    const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    for (const name of ["what", "these", "others", "difference"]) { const th = document.createElement("th"); th.scope = "col"; th.textContent = name; head.append(th); }
    for (const d of list) {
      const row = body.insertRow(), cell = (text) => { row.insertCell().textContent = text; };
      cell(this.#what(d));
      if (d.kind === "zone") { cell(took(d.now)); cell(took(d.was)); } else { cell(percent(d.share)); cell(percent(d.base)); }
      const bar = page.svg("svg", { width: 90, height: 10, role: "img", "aria-label": percent(d.weight) }, row.insertCell());
      page.svg("rect", { x: 0, y: 1, width: 90 * Math.min(1, d.weight), height: 8, fill: this.model.colours.of(d.kind === "zone" ? this.model.paths.apart.zone[d.node] : -1) }, bar);
      page.svg("line", { class: "zero", x1: 0.5, x2: 0.5, y1: 0, y2: 10 }, bar);
    }
    return table;
  }
}

const percent = (share) => `${page.digits(100 * share, 2)} %`;


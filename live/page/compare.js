// SPDX-License-Identifier: BSD-3-Clause
// What differs between two call trees: a sentence, and the zones that explain most.
import { pathName, took } from "./names.js";
import { differences } from "./tables.js";

// sentence says what differs most, or that nothing does.
export function sentence(model, space, tree, base, list) {
  const most = list[0], other = base.what;
  if (!most || Math.abs(most.own) < Math.max(1000, 0.03 * base.value)) return `No zone differs from ${other} by more than ${took(Math.abs(most?.own || 0))}.`;
  const by = most.now - most.base, how = `${took(Math.abs(by))} ${by > 0 ? "more" : "less"} than in ${other}`;
  if (most.node < 0) return `${took(most.now)} passed outside any zone, ${how}.`;
  const wait = model.info.zones[space.zone[most.node]]?.wait;
  return `${pathName(model, space, most.node)} ${wait ? "waited" : "took"} ${took(most.now)}, ${how}.`;
}

export class Compare {
  constructor(box, model, tracks) { Object.assign(this, { box, model, tracks, key: "" }); }

  // draw shows a tree against a base, or nothing.
  draw(tree, base, space) {
    this.box.hidden = !base;
    const key = base ? `${tree.what} ${tree.value} ${base.what} ${base.value} ${space === this.model.paths.apart}` : "";
    if (key === this.key) return; // neither has changed
    this.key = key;
    if (!base) return;
    const list = differences(tree, base, space), p = document.createElement("p"), strong = document.createElement("strong");
    strong.textContent = sentence(this.model, space, tree, base, list);
    p.append(strong, document.createElement("br"), this.#context(tree, base));
    this.box.replaceChildren(p, this.#table(tree, base, space, list.filter((d, i) => i < 6 && (!i || Math.abs(d.own) > 0.01 * tree.value))));
    p.scrollIntoView({ block: "nearest" }); // in a small window it would not be noticed
  }

  #context(tree, base) {
    const frame = tree.frame, words = [`${tree.what}: ${took(tree.value)}; ${base.what}: ${took(base.value)}.`];
    if (frame) {
      const gc = this.tracks.collections(frame.start, frame.start + frame.took);
      if (gc.n) words.push(`Garbage was collected in or near this frame, with pauses of ${took(gc.pause)}.`);
    }
    const small = document.createElement("small");
    small.textContent = words.join(" ");
    return small;
  }

  #table(tree, base, space, list) {
    const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    for (const name of ["zone", tree.short, base.short, "difference", ""]) {
      const th = document.createElement("th");
      th.scope = "col";
      th.textContent = name;
      head.append(th);
    }
    const most = Math.max(...list.map((d) => Math.abs(d.now - d.base)), 1);
    for (const d of list) {
      const row = body.insertRow(), by = d.now - d.base, cell = (text) => { row.insertCell().textContent = text; };
      cell(pathName(this.model, space, d.node));
      cell(took(d.now));
      cell(took(d.base));
      cell((by > 0 ? "+" : by < 0 ? "−" : "") + took(Math.abs(by)));
      const bar = page.svg("svg", { width: 90, height: 10, "aria-hidden": "true" }, row.insertCell());
      const width = (45 * Math.abs(by)) / most;
      page.svg("rect", { x: by < 0 ? 45 - width : 45, y: 1, width, height: 8, fill: this.model.colours.of(d.node < 0 ? -1 : space.zone[d.node]) }, bar);
      page.svg("line", { class: "zero", x1: 45, x2: 45, y1: 0, y2: 10 }, bar);
    }
    return table;
  }
}

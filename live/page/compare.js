// SPDX-License-Identifier: BSD-3-Clause
// What differs between two call trees: a sentence, and the zones that explain most.
import { cause } from "./cause.js";
import { laneName, noun, pathName, took } from "./names.js";
import { differences, outside } from "./tables.js";
import { COARSE } from "./tracks.js";

// sentence says what made a tree differ from its base, or what differs most, or that nothing does. Both trees have lanes apart.
export function sentence(model, tree, base) {
  const { info, paths: { apart } } = model, lane = info.lane ?? null, [most] = differences(tree, base, apart, free(model, tree, base));
  if (!most || Math.abs(most.own) < Math.max(1000, 0.03 * base.value)) return `No zone differs from ${base.what} by more than ${took(Math.abs(most?.own || 0))}.`;
  const longer = tree.value >= base.value, found = longer ? cause(apart, info.zones, lane, tree, base) : cause(apart, info.zones, lane, base, tree);
  if (!found) {
    const by = tree.value - base.value, name = pathName(model, apart, most.node);
    return `No zone accounts for half of the ${took(Math.abs(by))} ${by > 0 ? "more" : "less"} than in ${base.what}. Most is ${took(Math.abs(most.own))}, ${most.node < 0 ? "" : "in "}${name}.`;
  }
  const { node } = found, [now, was] = node < 0 ? free(model, tree, base) : [tree.total[node] || 0, base.total[node] || 0];
  const how = `${took(Math.abs(now - was))} ${now > was ? "more" : "less"} than in ${base.what}`;
  if (node < 0) return `${took(now)} passed outside any zone, ${how}.`;
  const there = !model.view.apart && lane !== null && apart.lane[node] !== lane ? ` on ${laneName(model, apart.lane[node])}` : "";
  const wait = found.waited >= 0 && !info.slice ? `; ${pathName(model, apart, found.waited)} waited meanwhile` : "";
  return `${pathName(model, apart, node)} ${info.zones[apart.zone[node]]?.wait ? "waited" : "took"} ${took(now)}${there}, ${how}${wait}.`;
}

// free returns the time outside any zone in both trees, with lanes apart, which is known only on the loop's lane.
function free({ info, paths: { apart } }, tree, base) {
  return (info.lane ?? null) === null ? null : [tree, base].map((t) => Math.max(0, outside(t, apart, info.lane)));
}

export class Compare {
  // box is for the sentence, rows for the zones.
  constructor(box, rows, model, tracks) { Object.assign(this, { box, rows, model, tracks, key: "" }); }

  // draw compares a tree with a base, or clears; apart returns both with lanes apart.
  draw(tree, base, space, apart) {
    const { model, model: { view, info } } = this;
    this.box.hidden = this.rows.hidden = !base;
    const context = base ? this.#context(tree, base) : "";
    const key = base ? `${context} ${tree.value} ${base.value} ${space === model.paths.apart} ${view.lane} ${info.lane}` : "";
    if (key === this.key) return; // both are unchanged
    this.key = key;
    if (!base) return;
    const both = apart(), p = document.createElement("p"), strong = document.createElement("strong"), small = document.createElement("small"), own = view.lane === null || view.lane === info.lane;
    const list = differences(tree, base, space, own && free(model, ...both)).filter((d) => view.lane === null || d.node < 0 || space.lane[d.node] === view.lane);
    strong.textContent = sentence(model, ...both);
    small.textContent = context;
    p.append(strong, document.createElement("br"), small);
    this.box.replaceChildren(p);
    this.rows.replaceChildren(this.#table(tree, base, space, list.filter((d, i) => i < 6 && (!i || Math.abs(d.own) > 0.01 * tree.value))));
    p.scrollIntoView({ block: "nearest" }); // otherwise it may be out of sight in a small window
  }

  // #context says what is compared, and which collections were near: of frames before the page was opened, these arrive later.
  #context(tree, base) {
    const frame = tree.frame, words = [`${tree.what}: ${took(tree.value)}; ${base.what}: ${took(base.value)}.`];
    if (frame) {
      const gc = this.tracks.collections(frame.start, frame.start + frame.took);
      if (gc.n) words.push(`Garbage was collected ${gc.within > COARSE ? `within ${took(gc.within)} around` : "in or near"} this ${noun(this.model)}, with pauses of ${took(gc.pause)}.`);
    }
    return words.join(" ");
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

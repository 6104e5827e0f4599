// SPDX-License-Identifier: BSD-3-Clause The call tree as a flame graph, from the outermost zones down. Time in excess of the base
// is hatched.
import { begin, fit, label, under } from "./canvas.js";
import { found, laneName, lanesOf, noun, pathName, spaceOf, took, zoneName } from "./names.js";
import { self } from "./tables.js";

const ROW = 20, LABEL = 16; // pixels

export class Flame {
  #boxes = []; #at = -1; #root = -1; #shown = null;

  constructor(box, model, act, read) {
    Object.assign(this, { box, model, act, read });
    this.#listen();
  }

  // draw draws a tree, compared with a base if there is one.
  draw(tree, base) {
    const { model } = this, { colours } = model, space = spaceOf(model);
    if (this.#shown && this.#shown.space !== space) this.#root = this.#at = -1;
    this.#shown = { tree, base, space };
    if (this.#root >= 0 && !tree.total[this.#root]) this.#root = -1; // the root is not in this frame
    const children = this.#children(space), lanes = this.#lanes(space, children);
    const depth = (node) => 1 + Math.max(0, ...(children.get(node) || []).map(depth));
    const heights = lanes.map((l) => Math.max(1, ...l.roots.map(depth)) * ROW + (l.name ? LABEL : 0));
    const { c, w } = begin(this.box, Math.max(44, heights.reduce((a, b) => a + b, 16)));
    const total = (node) => tree.total[node] || 0, sum = (nodes) => nodes.reduce((s, n) => s + total(n), 0);
    const whole = this.#root >= 0 ? total(this.#root) : Math.max(tree.value, ...lanes.map((l) => sum(l.roots)));
    this.#axis(c, w, whole, tree.value, heights.reduce((a, b) => a + b, 0));
    this.#boxes = [];
    let y = 0;
    lanes.forEach((l, i) => {
      const top = y + (l.name ? LABEL : 0);
      if (l.name) { c.fillStyle = colours.soft; c.textAlign = "left"; c.fillText(l.name, 0, y + LABEL / 2); }
      const lay = (nodes, x, top) => {
        for (const n of nodes) {
          const width = whole > 0 ? (total(n) / whole) * w : 0;
          if (width > 0) { this.#boxes.push({ n, x, y: top, w: width }); lay(children.get(n) || [], x, top + ROW); }
          x += width;
        }
      };
      lay(l.roots, 0, top);
      if (l.own && tree.value > 0) this.#free(c, (sum(l.roots) / whole) * w, (tree.value / whole) * w, top);
      y += heights[i];
    });
    for (const b of this.#boxes) this.#box(c, b, whole / w, space, tree, base);
    if (this.#at >= 0) this.#tell();
    else this.read(whole > 1.001 * tree.value && tree.value > 0 ? `All lanes added up: ${took(whole)} in ${took(tree.value)}. Split by lane shows each by itself.` : "");
  }

  // free labels the time outside any zone.
  #free(c, from, to, y) {
    const text = fit(c, "outside any zone", to - from - 12);
    if (!text.endsWith("zone")) return;
    c.fillStyle = this.model.colours.soft;
    c.textAlign = "left";
    c.fillText(text, from + 6, y + ROW / 2);
  }

  #children(space) {
    const out = new Map();
    space.parent.forEach((p, n) => { if (!out.has(p)) out.set(p, []); out.get(p).push(n); });
    return out;
  }

  // lanes returns the outermost nodes: by lane if lanes are apart, the loop's first. own says that they are of the loop's lane
  // alone, on which the rest of the frame is outside any zone.
  #lanes(space, children) {
    const { view, info, paths: { apart } } = this.model, own = (lane) => this.#root < 0 && info.lane !== null && lane === info.lane;
    const roots = this.#root >= 0 ? [this.#root] : (children.get(-1) || []).filter((n) => view.lane === null || space.lane[n] === view.lane);
    if (!view.apart || this.#root >= 0 || lanesOf(this.model).length < 2) return [{ roots, own: view.lane === null ? apart.lane.every(own) : own(view.lane) }];
    const lanes = [...new Set(roots.map((n) => space.lane[n]))].sort((a, b) => own(b) - own(a));
    return lanes.map((lane) => ({ name: laneName(this.model, lane), own: own(lane), roots: roots.filter((n) => space.lane[n] === lane) }));
  }

  #axis(c, w, whole, value, h) {
    const { colours } = this.model, [per, unit] = page.unit(whole), beyond = this.#root < 0 && whole > 1.001 * value;
    const end = beyond ? Math.round((value / whole) * w) : Infinity, mark = Math.min(end, w - 30); // the end of the frame, which the sum over lanes may exceed
    c.textAlign = "center";
    for (const t of page.ticks(0, whole / per, w / 110)) {
      const x = Math.round(((t.at * per) / whole) * w) + 0.5;
      c.fillStyle = colours.grid;
      c.fillRect(x, 0, 1, h);
      c.fillStyle = colours.soft;
      if (x > 20 && x < w - 26 && Math.abs(x - mark) > 60) c.fillText(`${t.text} ${unit}`, x, h + 8);
    }
    if (!beyond) return;
    c.fillStyle = colours.ink;
    c.fillRect(end, 0, 1, h + 2);
    label(c, took(value), mark, h + 8, colours, "center", colours.ink);
  }

  #box(c, { n, x, y, w }, scale, space, tree, base) {
    const { model } = this, { view, colours, info } = model, zone = space.zone[n], wait = info.zones[zone]?.wait;
    const out = view.zone !== null && view.zone !== zone || !found(model, zone, space.lane[n]);
    const left = x + 0.5, width = Math.max(0.5, w - 1), height = ROW - 1;
    c.globalAlpha = out ? 0.25 : 1;
    c.fillStyle = colours.of(zone, wait);
    c.fillRect(left, y, width, height);
    const more = base ? Math.max(0, tree.total[n] - (base.total[n] || 0)) : 0;
    if (more > 0.02 * tree.value) {
      const from = left + width - Math.min(width, more / scale);
      c.save();
      c.beginPath();
      c.rect(from, y, left + width - from, height);
      c.clip();
      c.strokeStyle = colours.on(zone, wait);
      c.globalAlpha *= 0.45;
      c.beginPath();
      for (let k = from - height; k < left + width; k += 6) { c.moveTo(k, y + height); c.lineTo(k + height, y); }
      c.stroke();
      c.restore();
    }
    const text = fit(c, zoneName(model, zone), width - 6);
    if (text) {
      if (more > 0.02 * tree.value && !out) { c.fillStyle = colours.of(zone, wait); c.fillRect(left, y, c.measureText(text).width + 8, height); }
      c.fillStyle = colours.on(zone, wait);
      c.textAlign = "left";
      c.fillText(text, left + 4, y + height / 2 + 0.5);
    }
    c.globalAlpha = 1;
    if (n === this.#at) { c.strokeStyle = colours.ink; c.lineWidth = 2; c.strokeRect(left + 1, y + 1, Math.max(1, width - 2), height - 2); c.lineWidth = 1; }
  }

  // tell shows the values of the node under the pointer.
  #tell() {
    const { tree, base, space } = this.#shown, n = this.#at, t = tree.total[n] || 0, calls = tree.calls[n] || 0;
    const words = [`${pathName(this.model, space, n)}: ${took(t)}`, `self ${took(Math.max(0, self(tree, space)[n] || 0))}`, `${page.digits(calls, 3)} call${calls === 1 ? "" : "s"}`];
    if (tree.value > 0) words.push(`${page.digits((100 * t) / tree.value, 3)} % of the ${noun(this.model)}`);
    if (base) words.push(`${took(base.total[n] || 0)} in ${base.what}`);
    this.read(words.join(" · "));
  }

  #go(n) { this.#at = n; if (this.#shown) this.draw(this.#shown.tree, this.#shown.base); }
  #zoom(n) {
    const { space } = this.#shown;
    this.#root = n === this.#root ? -1 : n;
    if (n >= 0 && this.model.view.zone !== space.zone[n]) this.act.zone(space.zone[n]);
    else if (this.model.view.zone !== null) this.act.zone(this.model.view.zone);
    this.act.changed();
  }

  // key moves to a neighbour of the node. It returns whether the key is one of its own.
  #key(key) {
    const { space } = this.#shown, b = this.#boxes, at = b.find((k) => k.n === this.#at);
    if (key === "Enter" && at) { this.#zoom(at.n); return true; }
    if (!/^Arrow/.test(key) || !b.length) return false;
    const row = at && b.filter((k) => k.y === at.y), next = at && row[row.indexOf(at) + (key === "ArrowRight" ? 1 : -1)];
    const to = !at ? b[0] : key === "ArrowDown" ? b.find((k) => space.parent[k.n] === at.n) : key === "ArrowUp" ? b.find((k) => k.n === space.parent[at.n]) : next;
    if (to) this.#go(to.n);
    return true;
  }

  #listen() {
    const hit = (e) => { const p = under(this.box, e); return this.#boxes.find((b) => b.x <= p.x && p.x < b.x + b.w && b.y <= p.y && p.y < b.y + ROW)?.n ?? -1; };
    this.box.addEventListener("pointermove", (e) => { const n = hit(e); if (n !== this.#at) this.#go(n); });
    this.box.addEventListener("pointerleave", () => this.#go(-1));
    this.box.addEventListener("click", (e) => this.#zoom(hit(e)));
    this.box.addEventListener("keydown", (e) => { if (this.#shown && this.#key(e.key)) { e.preventDefault(); e.stopPropagation(); } });
  }
}

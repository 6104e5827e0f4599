// SPDX-License-Identifier: BSD-3-Clause
"use strict";
// page has what every page draws with: SVG, numbers, scales and axes, a cursor that shows values, a legend.
const page = (() => {
  const COLOURS = 6;
  const byId = (id) => document.getElementById(id);
  // data is the data in the page; null in a page that gets its data later.
  const data = JSON.parse(byId("data")?.textContent ?? "null");
  // look returns the classes for the series number i: a colour and a dash.
  const look = (i) => `c${i % COLOURS} d${Math.floor(i / COLOURS) % 3}`;
  const colour = (i) => `c${i % COLOURS}`;

  // floats decodes little-endian float32 in base64.
  const floats = (text) => {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const view = new DataView(bytes.buffer), out = new Float32Array(raw.length / 4);
    for (let i = 0; i < out.length; i++) out[i] = view.getFloat32(4 * i, true);
    return out;
  };

  // --- drawing ---

  const svg = (name, attributes, parent, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  };

  // digits formats v with n significant digits, all digits before the point, and no trailing zeros. Very small numbers have an
  // exponent.
  const digits = (v, n) => {
    if (v === 0) return "0";
    if (Math.abs(v) < 1e-6) return String(Number(v.toPrecision(n)));
    const places = Math.max(0, n - 1 - Math.floor(Math.log10(Math.abs(v))));
    return v.toFixed(places).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  };

  // ticks returns about n round numbers from lo to hi.
  const ticks = (lo, hi, n) => {
    const rough = (hi - lo) / Math.max(1, n) || 1, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((f) => f * power >= rough * 0.999) * power;
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), out = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push({ at: k * step, text: (k * step).toFixed(places) });
    return out;
  };

  // duration formats ns nanoseconds in a suitable unit, like units.Duration.
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const unit = (ns) => units.find(([per]) => Math.abs(ns) >= per) || units[3];
  const duration = (ns, n = 4) => { const [per, name] = unit(Number(ns.toPrecision(n))); return `${digits(ns / per, n)} ${name}`; };

  // frame begins a plot: an empty box with scales, ticks and titles.
  const frame = (box, height, x, y, margin = {}) => {
    const w = Math.max(280, box.clientWidth), m = { top: 8, right: 12, bottom: 38, left: 54, ...margin };
    const root = svg("svg", { viewBox: `0 0 ${w} ${height}`, "aria-hidden": "true" });
    const p = {
      w, height, root, left: m.left, right: w - m.right, top: m.top, bottom: height - m.bottom,
      x: (v) => m.left + ((v - x.lo) / (x.hi - x.lo || 1)) * (w - m.left - m.right),
      y: (v) => height - m.bottom - ((v - y.lo) / (y.hi - y.lo || 1)) * (height - m.top - m.bottom),
      back: (px) => x.lo + ((px - m.left) / (w - m.left - m.right)) * (x.hi - x.lo),
    };
    for (const t of y.ticks || ticks(y.lo, y.hi, (p.bottom - p.top) / 45)) {
      svg("line", { class: "grid", x1: p.left, x2: p.right, y1: p.y(t.at), y2: p.y(t.at) }, root);
      svg("text", { x: p.left - 7, y: p.y(t.at) + 4, "text-anchor": "end" }, root, t.text);
    }
    for (const t of x.ticks || ticks(x.lo, x.hi, (p.right - p.left) / 90)) {
      svg("line", { class: "grid", x1: p.x(t.at), x2: p.x(t.at), y1: p.top, y2: p.bottom }, root);
      svg("text", { x: p.x(t.at), y: p.bottom + 17, "text-anchor": "middle" }, root, t.text);
    }
    svg("path", { class: "axis", d: `M${p.left},${p.top}V${p.bottom}H${p.right}` }, root);
    svg("text", { x: (p.left + p.right) / 2, y: height - 4, "text-anchor": "middle" }, root, x.title);
    if (y.title) svg("text", { transform: `translate(13 ${(p.top + p.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, root, y.title);
    const clip = svg("clipPath", { id: `clip-${box.id}` }, root);
    svg("rect", { x: p.left, y: p.top, width: p.right - p.left, height: p.bottom - p.top }, clip);
    p.inside = svg("g", { "clip-path": `url(#clip-${box.id})` }, root);
    p.over = svg("g", {}, root);
    box.replaceChildren(root);
    return p;
  };

  const number = (v) => Math.round(v * 10) / 10;
  const line = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${number(x)},${number(y)}`).join("");

  // cursor draws a vertical line and a dot per capture over a plot.
  const cursor = (p, px, dots) => {
    p.over.replaceChildren();
    if (px === null) return;
    svg("line", { class: "cursor", x1: px, x2: px, y1: p.top, y2: p.bottom }, p.over);
    for (const d of dots) svg("circle", { class: `dot ${look(d.i)}`, cx: d.x, cy: Math.max(p.top, Math.min(p.bottom, d.y)), r: 4 }, p.over);
  };

  // where returns the position of an event in the units of the plot.
  const where = (p, event) => {
    const box = p.root.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * p.w;
  };

  // say writes a read-out, with one line per capture.
  const say = (id, lines) => { byId(id).textContent = lines.join("\n"); };

  // --- reading ---

  // stands makes a plot readable by pointer and arrow keys. It has count places; place(px) returns the nearest one, and show(k)
  // shows its read-out.
  const stands = (id, count, place, show, hide) => {
    const box = byId(id);
    let k = -1;
    const to = (next) => { k = Math.max(0, Math.min(count - 1, next)); show(k); };
    box.addEventListener("pointermove", (e) => to(place(e)));
    box.addEventListener("pointerleave", hide);
    box.addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -count, End: count }[e.key];
      if (by) { e.preventDefault(); to(k + by); }
    });
  };

  // legend fills a bar with a button for each thing, which shows or hides it. A single thing has no legend.
  const legend = (bar, things, draw) => {
    bar.hidden = things.length < 2;
    if (bar.hidden) return;
    for (const c of things) {
      const b = document.createElement("button");
      b.type = "button";
      b.setAttribute("aria-pressed", "true");
      const swatch = svg("svg", { class: `swatch ${look(c.i)}`, viewBox: "0 0 28 10", "aria-hidden": "true" }, b);
      svg("line", { x1: 0, y1: 5, x2: 28, y2: 5 }, swatch);
      b.append(c.name);
      b.addEventListener("click", () => { c.shown = !c.shown; b.setAttribute("aria-pressed", c.shown); draw(); });
      bar.append(b);
    }
  };

  // start shows and draws the plots, and draws them again whenever the width of the page changes.
  const start = (draw) => {
    document.querySelector(".plots").hidden = false;
    draw();
    let width = document.body.clientWidth, waiting = 0;
    addEventListener("resize", () => {
      if (document.body.clientWidth === width) return;
      width = document.body.clientWidth;
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(draw);
    });
  };

  return { byId, data, look, colour, floats, svg, digits, unit, duration, ticks, frame, number, line, cursor, where, say, stands, legend, start };
})();

// SPDX-License-Identifier: BSD-3-Clause
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const COLOURS = 6;
  const look = (i) => `c${i % COLOURS} d${Math.floor(i / COLOURS) % 3}`;

  const floats = (text) => {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const view = new DataView(bytes.buffer), out = new Float32Array(raw.length / 4);
    for (let i = 0; i < out.length; i++) out[i] = view.getFloat32(4 * i, true);
    return out;
  };
  const captures = data.captures.map((c, i) => ({ ...c, i, t: floats(c.t), x: floats(c.x), shown: true }));
  const shown = () => captures.filter((c) => c.shown);

  // --- drawing ---

  const svg = (name, attributes, parent, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  };

  // digits writes v with so many significant digits, and no exponent.
  const digits = (v, n) => {
    if (v === 0) return "0";
    const places = Math.max(0, Math.min(9, n - 1 - Math.floor(Math.log10(Math.abs(v)))));
    return v.toFixed(places).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  };
  const fps = (ms) => `${digits(1000 / ms, 4)} fps`;
  const signed = (v) => (v > 0 ? "+" : "") + digits(v, 3).replace("-", "−");

  // ticks returns about n round numbers from lo to hi.
  const ticks = (lo, hi, n) => {
    const rough = (hi - lo) / Math.max(1, n) || 1, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((f) => f * power >= rough * 0.999) * power;
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), out = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push({ at: k * step, text: (k * step).toFixed(places) });
    return out;
  };

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

  // inside returns where in the plot, in its own units, an event is.
  const where = (p, event) => {
    const box = p.root.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * p.w;
  };

  // say writes a read-out, one line a capture.
  const say = (id, lines) => { byId(id).textContent = lines.join("\n"); };
  const of = (c) => (captures.length > 1 ? `${c.name}: ` : "");

  // --- frame time over time ---

  const time = (() => {
    const box = byId("time");
    const end = Math.max(...captures.map((c) => c.t[c.t.length - 1] + c.x[c.x.length - 1] / 1000));
    let lo = 0, hi = end, clipped = false, p, at = null, from = null;

    // first returns the index of the first frame at or after a time.
    const first = (c, t) => {
      let a = 0, b = c.t.length;
      while (a < b) {
        const m = (a + b) >> 1;
        if (c.t[m] < t) a = m + 1; else b = m;
      }
      return a;
    };
    // path draws every frame, or where there are more than pixels the least and the greatest in each.
    const path = (c) => {
      const a = Math.max(0, first(c, lo) - 1), b = Math.min(c.t.length, first(c, hi) + 1), points = [];
      if (b - a < (p.right - p.left) / 4 && c.whole) { // room for every frame to be as wide as it is long
        for (let i = a; i < b; i++) points.push([p.x(c.t[i]), p.y(c.x[i])], [p.x(c.t[i] + c.x[i] / 1000), p.y(c.x[i])]);
        return line(points);
      }
      if (b - a < 2 * (p.right - p.left)) {
        for (let i = a; i < b; i++) points.push([p.x(c.t[i]), p.y(c.x[i])]);
        return line(points);
      }
      for (let i = a; i < b;) {
        const column = Math.floor(p.x(c.t[i]));
        let least = c.x[i], most = c.x[i];
        for (; i < b && Math.floor(p.x(c.t[i])) === column; i++) {
          if (c.x[i] < least) least = c.x[i];
          if (c.x[i] > most) most = c.x[i];
        }
        points.push([column + 0.5, p.y(least)], [column + 0.5, p.y(most)]);
      }
      return line(points);
    };
    const top = () => {
      const list = shown().length ? shown() : captures;
      return Math.max(...list.map((c) => (clipped ? Math.min(c.longest, 1.6 * c.p99) : c.longest))) * 1.06;
    };
    const draw = () => {
      const most = top();
      p = frame(box, 340, { lo, hi, title: "time in s" }, { lo: 0, hi: most, title: "frame time in ms" }, { right: 62 });
      let last = -Infinity;
      for (const rate of [10, 15, 20, 30, 60, 120, 144, 240, 360, 500, 1000]) {
        const y = p.y(1000 / rate);
        if (y <= p.top + 4 || y - last < 15 || 1000 / rate < most / 14) continue;
        last = y;
        svg("line", { class: "rate", x1: p.left, x2: p.right, y1: y, y2: y }, p.inside);
        svg("text", { x: p.right + 5, y: y + 4 }, p.root, `${rate} fps`);
      }
      for (const c of shown()) svg("path", { class: `data ${look(c.i)}`, d: path(c) }, p.inside);
      move(at);
    };
    // nearest returns the frame of a capture that a time falls into.
    const nearest = (c, t) => Math.max(0, Math.min(c.t.length - 1, first(c, t + 1e-9) - 1));
    // near returns the greatest frame under a pixel, so that spikes can be pointed at.
    const near = (c, t) => {
      const half = (hi - lo) / (p.right - p.left), a = nearest(c, t - half), b = nearest(c, t + half);
      let best = nearest(c, t);
      for (let i = a; i <= b; i++) if (c.x[i] > c.x[best]) best = i;
      return best;
    };
    // move puts the cursor at a time, or at exactly one frame of one capture.
    const move = (t, exact) => {
      at = t;
      if (t === null || t < lo || t > hi) return cursor(p, null);
      const hits = shown().map((c) => ({ c, k: exact && exact.c === c ? exact.k : near(c, t) })).filter(({ c, k }) => t <= c.t[k] + c.x[k] / 1000 + (hi - lo) / 100);
      cursor(p, p.x(t), hits.map(({ c, k }) => ({ i: c.i, x: p.x(c.t[k]), y: p.y(c.x[k]) })));
      say("time-read", hits.map(({ c, k }) => `${of(c)}${digits(c.t[k], 6)} s, ${c.whole ? `frame ${k + 1} of ${c.count}` : `one of ${c.count} frames`}: ${digits(c.x[k], 5)} ms, ${fps(c.x[k])}`));
    };
    const view = (a, b) => {
      const least = Math.max(end / 1e6, 0.002);
      if (b - a < least) { const m = (a + b) / 2; a = m - least / 2; b = m + least / 2; }
      lo = Math.max(0, Math.min(a, end - (b - a)));
      hi = Math.min(end, lo + (b - a));
      draw();
    };
    const zoom = (factor) => {
      const m = at !== null && at >= lo && at <= hi ? at : (lo + hi) / 2;
      view(m - (m - lo) * factor, m + (hi - m) * factor);
    };
    const follow = (t, exact) => {
      const span = hi - lo;
      if (t < lo || t > hi) view(t - span / 2, t + span / 2);
      move(t, exact);
    };
    // step moves the cursor by frames of the first capture shown.
    const step = (by) => {
      const c = shown()[0];
      if (!c) return;
      const k = at === null ? nearest(c, lo) : Math.max(0, Math.min(c.t.length - 1, nearest(c, at) + by));
      follow(c.t[k], { c, k });
    };
    // spike goes to the next frame beyond the 99th percentile that is longer than both neighbours.
    const spike = (by) => {
      const c = shown()[0];
      if (!c) return;
      let k = at === null ? (by > 0 ? 0 : c.x.length - 1) : nearest(c, at);
      for (k += by; k > 0 && k < c.x.length - 1; k += by) {
        if (c.x[k] > c.p99 && c.x[k] >= c.x[k - 1] && c.x[k] >= c.x[k + 1]) return follow(c.t[k], { c, k });
      }
    };

    box.addEventListener("pointermove", (e) => {
      const px = where(p, e);
      move(Math.max(lo, Math.min(hi, p.back(px))));
      if (from !== null) svg("rect", { class: "select", x: Math.min(from, px), width: Math.abs(px - from), y: p.top, height: p.bottom - p.top }, p.over);
    });
    box.addEventListener("pointerdown", (e) => { if (e.button === 0 && e.pointerType !== "touch") { from = where(p, e); box.setPointerCapture(e.pointerId); } });
    box.addEventListener("pointerup", (e) => {
      if (from === null) return;
      const a = from, b = where(p, e);
      from = null;
      if (Math.abs(b - a) > 8) view(p.back(Math.min(a, b)), p.back(Math.max(a, b)));
    });
    box.addEventListener("pointercancel", () => { from = null; });
    box.addEventListener("pointerleave", () => { if (from === null) cursor(p, null); });
    box.addEventListener("dblclick", () => view(0, end));
    box.addEventListener("keydown", (e) => {
      const keys = {
        ArrowRight: () => step(e.shiftKey ? 10 : 1), ArrowLeft: () => step(e.shiftKey ? -10 : -1), PageDown: () => spike(1), PageUp: () => spike(-1),
        Home: () => follow(0), End: () => follow(end), "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => view(0, end), Escape: () => view(0, end),
      };
      if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); keys[e.key](); }
    });
    byId("zoomin").addEventListener("click", () => zoom(0.5));
    byId("zoomout").addEventListener("click", () => zoom(2));
    byId("reset").addEventListener("click", () => view(0, end));
    const clip = byId("clip");
    clip.addEventListener("click", () => { clipped = !clipped; clip.setAttribute("aria-pressed", clipped); draw(); });
    return draw;
  })();

  // --- plots with a few places to stand on ---

  // stands makes a plot readable by pointer and arrow keys: count places, place(px) the nearest, show(k) the read-out.
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

  const spread = (() => {
    const { edges, shares } = data.histogram, n = edges.length, step = edges[1] - edges[0], end = edges[n - 1] + step;
    let p;
    const draw = () => {
      const most = Math.max(1e-9, ...shown().map((c) => Math.max(...shares[c.i]))) * 1.05;
      p = frame(byId("spread"), 300, { lo: edges[0], hi: end, title: "frame time in ms" }, { lo: 0, hi: most, title: "% of frames" });
      for (const c of shown()) {
        let d = `M${p.x(edges[0])},${p.bottom}`;
        shares[c.i].forEach((s, k) => { d += `V${number(p.y(s))}H${number(p.x(k + 1 < n ? edges[k + 1] : end))}`; });
        d += `V${p.bottom}`;
        svg("path", { class: `area ${look(c.i)}`, d: d + "Z" }, p.inside);
        svg("path", { class: `data ${look(c.i)}`, d }, p.inside);
      }
    };
    const show = (k) => {
      const px = p.x(edges[k] + step / 2);
      cursor(p, px, shown().map((c) => ({ i: c.i, x: px, y: p.y(shares[c.i][k]) })));
      const range = k + 1 < n ? `${digits(edges[k], 6)} to ${digits(edges[k + 1], 6)} ms` : `${digits(edges[k], 6)} ms and longer`;
      say("spread-read", shown().map((c) => `${of(c)}${range}: ${digits(shares[c.i][k], 3)} % of frames`));
    };
    stands("spread", n, (e) => Math.floor((p.back(where(p, e)) - edges[0]) / step), show, () => cursor(p, null));
    return draw;
  })();

  const percentiles = (() => {
    const { p: at, x } = data.quantiles, nines = at.map((v) => -Math.log10(1 - v / 100));
    let p;
    const draw = () => {
      const values = shown().flatMap((c) => [x[c.i][0], x[c.i][x[c.i].length - 1]]);
      const hi = Math.max(1e-9, ...values) * 1.04, lo = 0, end = Math.max(1, ...shown().map((c) => nines[x[c.i].length - 1]));
      const names = [[0, "0"], [50, "50"], [90, "90"], [99, "99"], [99.9, "99.9"], [99.99, "99.99"], [99.999, "99.999"]];
      const marks = names.map(([v, text]) => ({ at: -Math.log10(1 - v / 100), text })).filter((t) => t.at <= end + 1e-6);
      p = frame(byId("percentiles"), 300, { lo: 0, hi: end, title: "% of frames that are not longer", ticks: marks }, { lo, hi, title: "frame time in ms" }, { right: 24 });
      for (const c of shown()) svg("path", { class: `data ${look(c.i)}`, d: line(x[c.i].map((v, k) => [p.x(nines[k]), p.y(v)])) }, p.inside);
    };
    const show = (k) => {
      const px = p.x(nines[k]), hits = shown().filter((c) => k < x[c.i].length);
      cursor(p, px, hits.map((c) => ({ i: c.i, x: px, y: p.y(x[c.i][k]) })));
      say("percentiles-read", hits.map((c) => `${of(c)}${digits(at[k], 5)} % of frames take at most ${digits(x[c.i][k], 5)} ms, ${fps(x[c.i][k])}`));
    };
    const place = (e) => {
      const v = p.back(where(p, e));
      let best = 0;
      nines.forEach((q, k) => { if (Math.abs(q - v) < Math.abs(nines[best] - v)) best = k; });
      return best;
    };
    stands("percentiles", at.length, place, show, () => cursor(p, null));
    return draw;
  })();

  const changes = () => {
    const rows = (data.changes || []).flatMap((c, k) => (c.rows || []).map((r) => ({ ...r, i: k, of: data.changes.length > 1 ? `${c.other}: ` : "" })));
    byId("changes-figure").hidden = rows.length === 0;
    if (rows.length === 0) return;
    const most = Math.max(...rows.map((r) => Math.max(Math.abs(r.lo), Math.abs(r.hi)))) * 1.05 || 1;
    const lo = Math.min(0, ...rows.map((r) => r.lo)), hi = Math.max(0, ...rows.map((r) => r.hi)), pad = (hi - lo) * 0.04 || most;
    const narrow = byId("changes").clientWidth < 560;
    const p = frame(byId("changes"), 50 + 26 * rows.length, { lo: lo - pad, hi: hi + pad, title: "difference in %" }, { lo: 0, hi: rows.length, ticks: [] }, { left: narrow ? 130 : 220, right: narrow ? 12 : 215 });
    svg("line", { class: "zero", x1: p.x(0), x2: p.x(0), y1: p.top, y2: p.bottom }, p.root);
    rows.forEach((r, k) => {
      const y = p.y(rows.length - k - 0.5), g = svg("g", r.clear ? {} : { class: "unclear" }, p.root);
      svg("text", { class: "name", x: p.left - 8, y: y + 4, "text-anchor": "end" }, p.root, narrow ? r.name : r.of + r.name);
      svg("line", { class: `interval c${(r.i + 1) % COLOURS}`, x1: p.x(r.lo), x2: p.x(r.hi), y1: y, y2: y }, g);
      svg("circle", { class: `dot c${(r.i + 1) % COLOURS}`, cx: p.x(r.value), cy: y, r: 5 }, g);
      if (!narrow) svg("text", { x: p.right + 8, y: y + 4 }, p.root, r.clear ? `${signed(r.value)} %` : `${signed(r.value)} %, no difference shown`);
    });
  };

  // --- the page ---

  const draw = () => { time(); spread(); percentiles(); changes(); };
  const legend = byId("legend");
  if (captures.length > 1) {
    for (const c of captures) {
      const b = document.createElement("button");
      b.type = "button";
      b.setAttribute("aria-pressed", "true");
      const swatch = svg("svg", { class: `swatch ${look(c.i)}`, viewBox: "0 0 28 10", "aria-hidden": "true" }, b);
      svg("line", { x1: 0, y1: 5, x2: 28, y2: 5 }, swatch);
      b.append(c.name);
      b.addEventListener("click", () => { c.shown = !c.shown; b.setAttribute("aria-pressed", c.shown); draw(); });
      legend.append(b);
    }
  }
  legend.hidden = captures.length < 2;
  document.querySelector(".plots").hidden = false;
  draw();
  let width = document.body.clientWidth, waiting = 0;
  addEventListener("resize", () => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(draw);
  });
})();

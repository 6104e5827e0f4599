// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, data, look, colour, floats, svg, digits, frame, number, line, cursor, where, say, stands } = page;
  const captures = data.captures.map((c, i) => ({ ...c, i, channels: c.channels.map((h) => ({ ...h, t: floats(h.t), x: floats(h.x) })) }));
  // things are what the legend shows and hides: groups, or else captures.
  const things = (data.groups || captures.map((c) => c.name)).map((name, i) => ({ name, i, shown: true }));
  const shown = () => captures.filter((c) => things[c.colour].shown);
  // use makes the plot over time show a channel.
  const use = (k) => { for (const c of captures) Object.assign(c, c.channels[k]); };
  use(0);
  const fps = (ms) => `${digits(1000 / ms, 4)} fps`;
  const of = (c) => (captures.length > 1 ? `${c.name}: ` : "");

  // --- frame time over time ---

  const time = (() => {
    const box = byId("time");
    const end = Math.max(...captures.map((c) => c.t[c.t.length - 1] + c.x[c.x.length - 1] / 1000));
    let channel = 0;
    // drawn returns the captures that are shown and have the plotted channel.
    const drawn = () => shown().filter((c) => c.t.length > 0);
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
    // path draws every frame or, if there are more frames than pixels, the least and the greatest in each pixel.
    const path = (c) => {
      const a = Math.max(0, first(c, lo) - 1), b = Math.min(c.t.length, first(c, hi) + 1), points = [];
      if (b - a < (p.right - p.left) / 4 && c.whole && channel === 0) { // there is room to draw each frame as wide as its duration
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
      const list = drawn().length ? drawn() : captures;
      return Math.max(...list.map((c) => (clipped ? Math.min(c.longest, 1.6 * c.p99) : c.longest))) * 1.06;
    };
    const draw = () => {
      const most = top();
      p = frame(box, 340, { lo, hi, title: "time in s" }, { lo: 0, hi: most || 1, title: `${data.channels[channel]} in ms` }, { right: 62 });
      let last = -Infinity;
      for (const rate of [10, 15, 20, 30, 60, 120, 144, 240, 360, 500, 1000]) {
        const y = p.y(1000 / rate);
        if (channel > 0 || y <= p.top + 4 || y - last < 15 || 1000 / rate < most / 14) continue;
        last = y;
        svg("line", { class: "rate", x1: p.left, x2: p.right, y1: y, y2: y }, p.inside);
        svg("text", { x: p.right + 5, y: y + 4 }, p.root, `${rate} fps`);
      }
      for (const c of drawn()) (c.scenes || []).forEach((t, k) => {
        svg("line", { class: `scene ${look(c.colour)}`, x1: p.x(t), x2: p.x(t), y1: p.top, y2: p.bottom }, p.inside);
        const next = k + 1 < c.scenes.length ? p.x(c.scenes[k + 1]) : p.right;
        if (next - p.x(t) > 58) svg("text", { x: p.x(t) + 4, y: p.top + 12 }, p.inside, `scene ${k + 2}`);
      });
      for (const c of drawn()) svg("path", { class: `data ${look(c.colour)}`, d: path(c) }, p.inside);
      move(at);
    };
    // nearest returns the frame of a capture at a time.
    const nearest = (c, t) => Math.max(0, Math.min(c.t.length - 1, first(c, t + 1e-9) - 1));
    // near returns the longest frame under a pixel, so that spikes are easy to hit.
    const near = (c, t) => {
      const half = (hi - lo) / (p.right - p.left), a = nearest(c, t - half), b = nearest(c, t + half);
      let best = nearest(c, t);
      for (let i = a; i <= b; i++) if (c.x[i] > c.x[best]) best = i;
      return best;
    };
    // move moves the cursor to a time, or to one frame of one capture.
    const move = (t, exact) => {
      at = t;
      if (t === null || t < lo || t > hi) return cursor(p, null);
      const hits = drawn().map((c) => ({ c, k: exact && exact.c === c ? exact.k : near(c, t) })).filter(({ c, k }) => t <= c.t[k] + c.x[k] / 1000 + (hi - lo) / 100);
      cursor(p, p.x(t), hits.map(({ c, k }) => ({ i: c.colour, x: p.x(c.t[k]), y: p.y(c.x[k]) })));
      say("time-read", hits.map(({ c, k }) => `${of(c)}${digits(c.t[k], 6)} s, ${c.whole ? `frame ${k + 1} of ${c.count}` : `one of ${c.count} frames`}: ${digits(c.x[k], 5)} ms${channel === 0 ? `, ${fps(c.x[k])}` : ""}`));
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
      const c = drawn()[0];
      if (!c) return;
      const k = at === null ? nearest(c, lo) : Math.max(0, Math.min(c.t.length - 1, nearest(c, at) + by));
      follow(c.t[k], { c, k });
    };
    // spike goes to the next frame beyond the 99th percentile that is longer than both neighbours.
    const spike = (by) => {
      const c = drawn()[0];
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
    const bar = byId("channels");
    bar.hidden = data.channels.length < 2;
    const buttons = data.channels.map((name, k) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = name;
      b.setAttribute("aria-pressed", k === 0);
      b.addEventListener("click", () => {
        channel = k;
        use(k);
        buttons.forEach((o, i) => o.setAttribute("aria-pressed", i === k));
        byId("time-title").textContent = name[0].toUpperCase() + name.slice(1);
        draw();
      });
      bar.append(b);
      return b;
    });
    return draw;
  })();

  // short shortens a name to n characters.
  const short = (name, n) => (name.length > n ? `${name.slice(0, n - 1)}…` : name);

  // bars draws the figures that reviewers print: a bar for each figure of each capture or group.
  const bars = () => {
    const { figures, rows } = data.bars, list = rows.filter((r) => things[r.colour].shown), box = byId("bars");
    byId("bar-names").textContent = figures.join(", ");
    const most = Math.max(1e-9, ...rows.flatMap((r) => r.bars.map((b) => Math.max(b.hi, b.v)))) * 1.02;
    const thick = rows.length > 8 ? 9 : 17, gap = thick / 2 + 4, each = thick * figures.length + gap, narrow = box.clientWidth < 560;
    const p = frame(box, 46 + each * Math.max(1, list.length), { lo: 0, hi: most, title: "frames per second" }, { lo: 0, hi: 1, ticks: [] }, { left: narrow ? 96 : 190, right: narrow ? 52 : 150 });
    list.forEach((r, k) => {
      const from = p.top + k * each + gap / 2, chars = narrow ? 13 : 27;
      svg("text", { class: "name", x: p.left - 8, y: from + (thick * figures.length) / 2 + 4, "text-anchor": "end" }, p.root, short(r.name, chars));
      r.bars.forEach((b, j) => {
        const y = from + j * thick, mid = y + thick / 2 - 0.5, open = b.hi > b.lo && b.lo === 0;
        svg("rect", { class: `block ${colour(r.colour)} b${j}`, x: p.left, y, width: Math.max(0, p.x(b.v) - p.left), height: thick - 1 }, p.root);
        if (b.hi > b.lo) {
          const lo = number(p.x(open ? b.v : b.lo)), hi = number(p.x(b.hi)), cap = thick / 4;
          svg("path", { class: `whisker${open ? " open" : ""}`, d: `M${lo},${mid}H${hi}` }, p.root);
          svg("path", { class: "whisker", d: `${open ? "" : `M${lo},${mid - cap}V${mid + cap}`}M${hi},${mid - cap}V${mid + cap}` }, p.root);
        }
        if (thick > 10 || j === 0) svg("text", { x: p.x(Math.max(b.hi, b.v)) + 6, y: mid + 4 }, p.root, narrow ? b.text.split(" ")[0] : b.text);
      });
    });
  };

  // --- plots with a few places to stand on ---

  const spread = (() => {
    const { edges, shares, longer } = data.histogram, n = edges.length, step = edges[1] - edges[0], end = edges[n - 1] + step;
    let p;
    const draw = () => {
      const most = Math.max(1e-9, ...shown().map((c) => Math.max(...shares[c.i]))) * 1.05;
      p = frame(byId("spread"), 300, { lo: edges[0], hi: end, title: "frame time in ms" }, { lo: 0, hi: most, title: "% of frames" });
      for (const c of shown()) {
        let d = `M${p.x(edges[0])},${p.bottom}`;
        shares[c.i].forEach((s, k) => { d += `V${number(p.y(s))}H${number(p.x(k + 1 < n ? edges[k + 1] : end))}`; });
        d += `V${p.bottom}`;
        svg("path", { class: `area ${look(c.colour)}`, d: d + "Z" }, p.inside);
        svg("path", { class: `data ${look(c.colour)}`, d }, p.inside);
      }
      const beyond = shown().filter((c) => longer[c.i] > 0);
      say("spread-longer", beyond.map((c) => `${of(c)}${digits(longer[c.i], 2)} % of frames are longer than ${digits(end, 6)} ms, up to ${digits(c.channels[0].longest, 4)} ms`));
    };
    const show = (k) => {
      const px = p.x(edges[k] + step / 2);
      cursor(p, px, shown().map((c) => ({ i: c.colour, x: px, y: p.y(shares[c.i][k]) })));
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
      for (const c of shown()) svg("path", { class: `data ${look(c.colour)}`, d: line(x[c.i].map((v, k) => [p.x(nines[k]), p.y(v)])) }, p.inside);
    };
    const show = (k) => {
      const px = p.x(nines[k]), hits = shown().filter((c) => k < x[c.i].length);
      cursor(p, px, hits.map((c) => ({ i: c.colour, x: px, y: p.y(x[c.i][k]) })));
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
    // If there are many comparisons, there is room for one figure each; the tables have all.
    const few = (data.changes || []).length <= 4;
    const rows = (data.changes || []).flatMap((c, k) => (c.rows || []).slice(0, few ? undefined : 1).map((r) => ({ ...r, i: k, of: data.changes.length > 1 ? `${c.other}: ` : "" })));
    byId("changes-figure").hidden = rows.length === 0;
    if (rows.length === 0) return;
    const most = Math.max(...rows.map((r) => Math.max(Math.abs(r.lo), Math.abs(r.hi)))) * 1.05 || 1;
    const lo = Math.min(0, ...rows.map((r) => r.lo)), hi = Math.max(0, ...rows.map((r) => r.hi)), pad = (hi - lo) * 0.04 || most;
    const narrow = byId("changes").clientWidth < 560;
    const p = frame(byId("changes"), 50 + 26 * rows.length, { lo: lo - pad, hi: hi + pad, title: "difference in %" }, { lo: 0, hi: rows.length, ticks: [] }, { left: narrow ? 130 : 220, right: narrow ? 12 : 215 });
    svg("line", { class: "zero", x1: p.x(0), x2: p.x(0), y1: p.top, y2: p.bottom }, p.root);
    rows.forEach((r, k) => {
      const y = p.y(rows.length - k - 0.5), g = svg("g", r.clear ? {} : { class: "unclear" }, p.root);
      svg("text", { class: "name", x: p.left - 8, y: y + 4, "text-anchor": "end" }, p.root, short(narrow && few ? r.name : r.of + r.name, narrow ? 18 : 32));
      svg("line", { class: `interval ${colour(r.i + 1)}`, x1: p.x(r.lo), x2: p.x(r.hi), y1: y, y2: y }, g);
      svg("circle", { class: `dot ${colour(r.i + 1)}`, cx: p.x(r.value), cy: y, r: 5 }, g);
      if (!narrow) svg("text", { x: p.right + 8, y: y + 4 }, p.root, r.clear ? r.text : `${r.text}, no difference shown`);
    });
  };

  // --- the page ---

  const draw = () => { time(); bars(); spread(); percentiles(); changes(); };
  page.legend(byId("legend"), things, draw);
  page.start(draw);
})();

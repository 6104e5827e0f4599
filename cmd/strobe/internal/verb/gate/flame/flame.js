// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, data, svg, duration, digits, unit, say, start } = page;
  const ROW = 21, CHAR = 6.7, BASE = 0, NEW = 1; // pixels, pixels, sides
  const box = byId("flame");
  let side = NEW, root = data, at = null, text = "", boxes = [];

  // Parents, and the largest difference, which has the full colour.
  let most = 0;
  const each = (n, f) => { f(n); (n.children || []).forEach((c) => each(c, f)); };
  const delta = (n) => n.cost[NEW] - n.cost[BASE];
  const clear = (n) => n.bounds && (n.bounds[0] > 0 || n.bounds[1] < 0);
  each(data, (n) => {
    (n.children || []).forEach((c) => { c.parent = n; });
    if (clear(n)) most = Math.max(most, Math.abs(delta(n)));
  });
  // colour returns the look of a difference, as a share of the largest.
  const colour = (v) => ({ class: v > 0 ? "more" : "less", "fill-opacity": (0.25 + 0.75 * Math.min(1, Math.abs(v))).toFixed(2) });
  // signed writes ns with a sign in a unit that was chosen for another value, too.
  const signed = (ns, [per, name]) => `${ns < 0 ? "−" : "+"}${digits(Math.abs(ns) / per, 3)}${name ? " " + name : ""}`;
  const cut = (name, w) => { const n = Math.floor((w - 8) / CHAR); return name.length <= n ? name : n > 3 ? name.slice(0, n - 1) + "…" : ""; };
  const short = (name) => name.replace(/\[.*\]/, "[…]").replace(/^[^[(]*\//, ""); // without type arguments and the folders of the package
  const matches = (n) => text !== "" && n.name.toLowerCase().includes(text);

  const tell = () => {
    if (!at) { say("read", ["Point at a function, or focus the graph and use the arrow keys. Click one to see it and what it calls."]); return; }
    const whole = data.cost, u = unit(Math.max(Math.abs(delta(at)), 1e-3)), words = [`${at === data ? "the whole call" : at.name}: ${duration(at.cost[BASE])} → ${duration(at.cost[NEW])} a call`];
    words.push(`${signed(delta(at), u)}${at.bounds ? ` [${signed(at.bounds[0], [u[0], ""])}, ${signed(at.bounds[1], [u[0], ""])}]` : ""}${clear(at) ? "" : ", no clear difference"}`);
    words.push([BASE, NEW].filter((s) => whole[s] > 0).map((s) => `${digits((100 * at.cost[s]) / whole[s], 3)} % of ${s === BASE ? "the base" : "new"}`).join(", "));
    say("read", [words.join(" · ")]);
  };

  const draw = () => {
    const w = Math.max(280, box.clientWidth), depth = (n) => (n.cost[side] > 0 ? 1 + Math.max(0, ...(n.children || []).map(depth)) : 0);
    const above = [];
    for (let n = root.parent; n; n = n.parent) above.unshift(n);
    const h = (above.length + Math.max(1, depth(root))) * ROW, picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, "aria-hidden": "true" });
    boxes = [];
    const lay = (n, x, y, width) => {
      if (width < 0.4) return;
      boxes.push({ n, x, y, w: width });
      if (n !== root && above.includes(n)) return;
      const whole = n.cost[side] || 1;
      for (const c of n.children || []) { const part = (c.cost[side] / whole) * width; lay(c, x, y + ROW, part); x += part; }
    };
    above.forEach((n, i) => lay(n, 0, i * ROW, w));
    lay(root, 0, above.length * ROW, w);
    for (const b of boxes) {
      const { n } = b, size = { x: b.x + 0.5, y: b.y, width: Math.max(0.4, b.w - 1), height: ROW - 1 };
      const g = svg("g", text && !matches(n) ? { class: "other" } : {}, picture);
      svg("rect", { ...size, ...(clear(n) ? colour(delta(n) / most) : { class: "even" }) }, g);
      if (matches(n)) svg("rect", { class: "match", ...size }, g);
      const name = cut(n === data ? `all · ${duration(n.cost[side])} a call` : short(n.name), b.w);
      if (name) svg("text", { x: b.x + 5, y: b.y + 14.5 }, g, name);
    }
    const here = boxes.find((b) => b.n === at);
    if (here) svg("rect", { class: "here", x: here.x + 1, y: here.y + 0.5, width: Math.max(1, here.w - 2), height: ROW - 2 }, picture);
    box.replaceChildren(picture);
    byId("whole").hidden = root === data;
    tell();
  };

  // The legend has the scale of the colours.
  const legend = () => {
    const place = byId("legend"), w = Math.max(280, place.clientWidth), picture = svg("svg", { viewBox: `0 0 ${w} 34` }), n = 11, width = Math.min(26, (w - 190) / n), u = unit(most || 1);
    const from = (w - n * width) / 2;
    for (let i = 0; i < n; i++) {
      const v = (2 * i) / (n - 1) - 1, size = { x: from + i * width, y: 2, width: width - 1, height: 12 };
      svg("rect", { ...size, ...(v === 0 ? { class: "even" } : colour(v)) }, picture);
    }
    svg("text", { x: from - 8, y: 12, "text-anchor": "end" }, picture, "costs less");
    svg("text", { x: from + n * width + 8, y: 12 }, picture, "costs more");
    for (const [v, anchor] of most ? [[-1, "middle"], [0, "middle"], [1, "middle"]] : []) {
      svg("text", { x: from + ((v + 1) / 2) * n * width, y: 30, "text-anchor": anchor }, picture, v === 0 ? "no clear difference" : signed(v * most, u));
    }
    place.replaceChildren(picture);
  };

  const found = () => {
    if (!text) { say("found", [""]); return; }
    let n = 0;
    const sum = [0, 0];
    const walk = (x, inside) => {
      const hit = matches(x);
      if (hit) n++;
      if (hit && !inside) { sum[BASE] += x.cost[BASE]; sum[NEW] += x.cost[NEW]; }
      (x.children || []).forEach((c) => walk(c, inside || hit));
    };
    walk(data, false);
    say("found", [n ? `${n} box${n === 1 ? "" : "es"}, together ${duration(sum[BASE])} → ${duration(sum[NEW])} a call` : "no function has this in its name"]);
  };

  const go = (n) => { if (n !== at) { at = n; draw(); } };
  const zoom = (n) => { root = n || data; at = n && n !== data ? n : null; draw(); };
  const under = (e) => {
    const r = box.firstElementChild.getBoundingClientRect(), x = ((e.clientX - r.left) / r.width) * box.firstElementChild.viewBox.baseVal.width, y = ((e.clientY - r.top) / r.height) * box.firstElementChild.viewBox.baseVal.height;
    return boxes.find((b) => b.x <= x && x < b.x + b.w && b.y <= y && y < b.y + ROW)?.n || null;
  };
  box.addEventListener("pointermove", (e) => go(under(e)));
  box.addEventListener("pointerleave", () => go(null));
  box.addEventListener("click", (e) => { const n = under(e); if (n) zoom(n); });
  box.addEventListener("keydown", (e) => {
    const here = boxes.find((b) => b.n === at), row = here && boxes.filter((b) => b.y === here.y);
    let to = null;
    if (e.key === "Enter" && at) to = () => zoom(at);
    else if (e.key === "Escape") to = () => zoom(null);
    else if (/^Arrow/.test(e.key)) {
      const next = !here ? boxes[0] : e.key === "ArrowUp" ? boxes.find((b) => b.n === at.parent) : e.key === "ArrowDown" ? boxes.find((b) => b.n.parent === at && b.y > here.y) : row[row.indexOf(here) + (e.key === "ArrowRight" ? 1 : -1)];
      to = () => { if (next) go(next.n); };
    }
    if (to) { e.preventDefault(); to(); }
  });
  byId("whole").addEventListener("click", () => zoom(null));
  byId("search").addEventListener("input", (e) => { text = e.target.value.trim().toLowerCase(); found(); draw(); });
  const [wide, narrow] = byId("width").querySelectorAll("button");
  for (const [button, s] of [[wide, NEW], [narrow, BASE]]) {
    button.addEventListener("click", () => {
      side = s;
      wide.setAttribute("aria-pressed", s === NEW);
      narrow.setAttribute("aria-pressed", s === BASE);
      draw();
    });
  }
  start(() => { legend(); draw(); });
})();

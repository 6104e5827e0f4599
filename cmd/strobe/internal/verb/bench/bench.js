// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, data, look, svg, digits, duration, unit, frame, cursor, where, say, stands } = page;
  const all = data.commands.flatMap((c) => c.times).sort((a, b) => a - b);
  const most = Math.max(all[all.length - 1] || 0, 1) * 1.05; // one scale for all
  // A few long runs would compress all others at the bottom, so they are cut off until requested.
  const usual = 1.5 * Math.max(...data.commands.map((c) => { const t = [...c.times].sort((a, b) => a - b); return t[Math.floor(0.9 * t.length)] || 0; }));
  let clipped = usual > 0 && most > 2 * usual;
  let top, per, name;
  const scale = () => { top = clipped ? usual : most; [per, name] = unit(top); };

  const plots = data.commands.map((c, i) => {
    const n = c.times.length, id = `runs-${i}`;
    if (n === 0) return () => {};
    let p;
    const y = (ns) => p.y(Math.min(ns, top) / per);
    const draw = () => {
      p = frame(byId(id), 200, { lo: 0.5, hi: n + 0.5, title: "run" }, { lo: 0, hi: top / per, title: `time in ${name}` });
      if (c.hi > c.lo) svg("rect", { class: `area ${look(i)}`, x: p.left, width: p.right - p.left, y: y(c.hi), height: y(Math.max(0, c.lo)) - y(c.hi) }, p.inside);
      svg("line", { class: `data ${look(i)}`, x1: p.left, x2: p.right, y1: y(c.center), y2: y(c.center) }, p.inside);
      c.times.forEach((t, k) => {
        const x = p.x(k + 1);
        if (t <= top) svg("circle", { class: `dot ${look(i)}`, cx: x, cy: y(t), r: 3 }, p.inside);
        else svg("path", { class: `dot beyond ${look(i)}`, d: `M${x - 4},${p.top + 7}h8l-4,-7z` }, p.inside); // an arrow upwards
      });
    };
    const show = (k) => {
      cursor(p, p.x(k + 1), [{ i, x: p.x(k + 1), y: y(c.times[k]) }]);
      say(`${id}-read`, [`run ${k + 1} of ${n}: ${duration(c.times[k], 5)}`]);
    };
    stands(id, n, (e) => Math.round(p.back(where(p, e))) - 1, show, () => cursor(p, null));
    return draw;
  });

  // The ratios of the others to the first, with their intervals.
  const ratios = () => {
    const rows = data.ratios || [];
    if (rows.length === 0) return () => {};
    const cut = (s) => (s.length > 24 ? s.slice(0, 23) + "…" : s);
    const ends = rows.flatMap((r) => [r.lo, r.hi]).concat(1, data.limit || 1);
    const pad = 0.06 * (Math.max(...ends) - Math.min(...ends)) || 0.01;
    let p;
    const at = (k) => p.y(rows.length - k - 0.5);
    const draw = () => {
      const wide = Math.max(...rows.map((r) => cut(r.name).length)) * 6.6 + 16;
      p = frame(byId("ratios"), 52 + 34 * rows.length, { lo: Math.max(0, Math.min(...ends) - pad), hi: Math.max(...ends) + pad, title: "times the first, by round" },
        { lo: 0, hi: rows.length, ticks: rows.map((r, k) => ({ at: rows.length - k - 0.5, text: cut(r.name) })) }, { left: wide });
      svg("line", { class: "zero", x1: p.x(1), x2: p.x(1), y1: p.top, y2: p.bottom }, p.inside);
      if (data.limit) svg("line", { class: "cursor", x1: p.x(data.limit), x2: p.x(data.limit), y1: p.top, y2: p.bottom }, p.inside);
      rows.forEach((r, k) => {
        svg("line", { class: `interval ${look(r.command)}`, x1: p.x(r.lo), x2: p.x(r.hi), y1: at(k), y2: at(k) }, p.inside);
        svg("circle", { class: `dot ${look(r.command)}`, cx: p.x(r.center), cy: at(k), r: 5 }, p.inside);
      });
    };
    const row = (e) => {
      const box = p.root.getBoundingClientRect();
      return Math.floor((((e.clientY - box.top) / box.height) * p.height - p.top) / ((p.bottom - p.top) / rows.length));
    };
    const show = (k) => {
      const r = rows[k];
      cursor(p, p.x(r.center), [{ i: r.command, x: p.x(r.center), y: at(k) }]);
      say("ratios-read", [`${r.name}: ${r.text}, ${r.verdict}` +
        (data.limit ? `; the gate is at ${digits(data.limit, 4)}` : "")]);
    };
    stands("ratios", rows.length, row, show, () => cursor(p, null));
    return draw;
  };
  plots.push(ratios());

  const button = byId("clip");
  const label = () => {
    button.hidden = most <= 2 * usual;
    button.setAttribute("aria-pressed", clipped);
    button.textContent = clipped ? `Runs above ${duration(usual, 3)} are cut off` : `Cut off runs above ${duration(usual, 3)}`;
  };
  const draw = () => { scale(); label(); plots.forEach((f) => f()); };
  button.addEventListener("click", () => { clipped = !clipped; draw(); });
  page.start(draw);
})();

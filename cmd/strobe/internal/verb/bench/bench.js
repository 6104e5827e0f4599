// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, data, look, svg, duration, unit, frame, cursor, where, say, stands } = page;
  const top = Math.max(...data.commands.flatMap((c) => c.times), 1) * 1.05; // one scale for all
  const [per, name] = unit(top);

  const plots = data.commands.map((c, i) => {
    const n = c.times.length, id = `runs-${i}`;
    if (n === 0) return () => {};
    let p;
    const y = (ns) => p.y(ns / per);
    const draw = () => {
      p = frame(byId(id), 200, { lo: 0.5, hi: n + 0.5, title: "run" }, { lo: 0, hi: top / per, title: `time in ${name}` });
      if (c.hi > c.lo) svg("rect", { class: `area ${look(i)}`, x: p.left, width: p.right - p.left, y: y(c.hi), height: y(Math.max(0, c.lo)) - y(c.hi) }, p.inside);
      svg("line", { class: `data ${look(i)}`, x1: p.left, x2: p.right, y1: y(c.center), y2: y(c.center) }, p.inside);
      c.times.forEach((t, k) => svg("circle", { class: `dot ${look(i)}`, cx: p.x(k + 1), cy: y(t), r: 3 }, p.inside));
    };
    const show = (k) => {
      cursor(p, p.x(k + 1), [{ i, x: p.x(k + 1), y: y(c.times[k]) }]);
      say(`${id}-read`, [`run ${k + 1} of ${n}: ${duration(c.times[k], 5)}`]);
    };
    stands(id, n, (e) => Math.round(p.back(where(p, e))) - 1, show, () => cursor(p, null));
    return draw;
  });
  page.start(() => plots.forEach((draw) => draw()));
})();

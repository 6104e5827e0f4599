// SPDX-License-Identifier: BSD-3-Clause
// lanes draws rows of boxes along one axis, which a pointer and keys read and zoom: a timeline, or a call tree.
//
// rows is a list of { head: name, note } or { height, boxes }, where a box is { from, to, look, text, say }: its ends on the axis,
// its classes, what is written in it, and the lines that describe it. links is a list of { at, from, to, say }, which join two
// rows at a place. more, if given, returns the rows of another part, by a promise. span is the part of the axis that is shown at first, and mark, if given, the part that is not shaded. unit
// gives the scale of a place, as page.unit does.
page.lanes = (id, { span, mark = span, rows, links = [], more, unit = page.unit, hint }) => {
  const { byId, svg, say, ticks } = page;
  const HEAD = 22, AXIS = 24, CHAR = 6.9, LEAST = 12; // pixels; the latter two: of a character, of a row with text
  const box = byId(id), read = `${id}-read`;
  let win = [...span], at = null, drag = null, boxes = [], w = 0, waiting = 0;

  const x = (t) => ((t - win[0]) / (win[1] - win[0])) * w;
  const back = (px) => win[0] + (px / w) * (win[1] - win[0]);
  const cut = (text, room) => { const n = Math.floor((room - 6) / CHAR); return text.length <= n ? text : n > 2 ? text.slice(0, n - 1) + "…" : ""; };

  const axis = (picture, h) => {
    const [per, name] = unit(Math.max(Math.abs(win[0]), Math.abs(win[1])));
    for (const t of ticks(win[0] / per, win[1] / per, w / 110)) {
      const px = x(t.at * per);
      svg("line", { class: "grid", x1: px, x2: px, y1: AXIS - 6, y2: h }, picture);
      if (px > 14 && px < w - 24) svg("text", { x: px, y: 12, "text-anchor": "middle" }, picture, `${t.text} ${name}`);
    }
  };

  const draw = () => {
    w = Math.max(280, box.clientWidth);
    const h = AXIS + rows.reduce((sum, r) => sum + (r.head === undefined ? r.height + 2 : HEAD), 0);
    const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, "aria-hidden": "true" });
    axis(picture, h);
    for (const [a, b] of [[span[0], mark[0]], [mark[1], span[1]]]) {
      const from = Math.max(0, x(a)), to = Math.min(w, x(b));
      if (to > from) svg("rect", { class: "outside", x: from, y: AXIS - 6, width: to - from, height: h - AXIS + 6 }, picture);
    }
    boxes = [];
    let y = AXIS;
    for (const r of rows) {
      r.y = y;
      if (r.head !== undefined) {
        const name = svg("text", { class: "name", x: 2, y: y + 16 }, picture, cut(r.head, w));
        if (r.note) svg("tspan", { class: "aside", dx: 8 }, name, cut(r.note, w - r.head.length * CHAR - 20));
        y += HEAD;
        continue;
      }
      for (const b of r.boxes) {
        const from = Math.max(-1, x(b.from)), to = Math.min(w + 1, x(b.to));
        if (to < 0 || from > w) continue;
        const place = { x: from, y, width: Math.max(1, to - from), height: r.height };
        svg("rect", { ...place, class: `box ${b.look}${place.width < 3 ? " thin" : ""}` }, picture);
        const text = place.width > LEAST && r.height > LEAST && b.text ? cut(b.text, place.width) : "";
        if (text) svg("text", { x: Math.max(0, from) + 4, y: y + r.height / 2 + 4 }, picture, text);
        boxes.push({ b, r, ...place });
      }
      y += r.height + 2;
    }
    for (const l of links) {
      const px = x(l.at), [a, b] = [rows[l.from], rows[l.to]].map((r) => r.y + r.height / 2);
      if (px < 0 || px > w) continue;
      svg("path", { class: "link", d: `M${px},${a}V${b}` }, picture);
      svg("circle", { class: "link", cx: px, cy: b, r: 3.5 }, picture);
      boxes.push({ b: { from: l.at, to: l.at, say: l.say }, r: rows[l.to], x: px - 4, y: b - 4, width: 8, height: 8 });
    }
    const here = boxes.find((p) => p.b === at);
    if (here) svg("rect", { class: "here", x: here.x, y: here.y, width: Math.max(2, here.width), height: here.height }, picture);
    if (drag?.to !== undefined) svg("rect", { class: "select", x: Math.min(drag.from, drag.to), y: 0, width: Math.abs(drag.to - drag.from), height: h }, picture);
    box.replaceChildren(picture);
    say(read, at ? at.say : [hint]);
  };

  const go = (b) => { if (b !== at) { at = b; draw(); } };
  const look = (a, b) => { // at least a billionth of the whole, inside it
    const least = (span[1] - span[0]) / 1e9, size = Math.max(least, Math.min(b - a, span[1] - span[0]));
    const from = Math.max(span[0], Math.min(a, span[1] - size));
    win = [from, from + size];
    draw();
    if (!more) return;
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = win, found = await more(...asked);
      if (asked === win && found) { rows = found; at = null; draw(); }
    }, 150);
  };
  const zoom = (by) => {
    const size = win[1] - win[0], seen = at && at.to >= win[0] && at.from <= win[1], mid = seen ? (Math.max(at.from, win[0]) + Math.min(at.to, win[1])) / 2 : (win[0] + win[1]) / 2;
    look(mid - (mid - win[0]) * by, mid - (mid - win[0]) * by + size * by);
  };
  const into = (b) => { const edge = 0.05 * (b.to - b.from); if (b.to > b.from) look(b.from - edge, b.to + edge); };

  const point = (e) => { const r = box.getBoundingClientRect(); return { x: ((e.clientX - r.left) / r.width) * w, y: e.clientY - r.top }; };
  const under = (e) => { const p = point(e); return boxes.findLast((k) => k.x <= p.x && p.x <= k.x + k.width && k.y <= p.y && p.y < k.y + k.height)?.b ?? null; };
  box.addEventListener("pointerdown", (e) => { if (e.button === 0) drag = { from: point(e).x }; });
  box.addEventListener("pointermove", (e) => {
    const px = point(e).x;
    if (!drag || Math.abs(px - drag.from) < 4 && drag.to === undefined) { go(under(e)); return; }
    drag.to = px;
    draw();
  });
  addEventListener("pointerup", () => {
    const d = drag;
    drag = null;
    if (d?.to !== undefined && Math.abs(d.to - d.from) >= 4) look(back(Math.min(d.from, d.to)), back(Math.max(d.from, d.to)));
  });
  box.addEventListener("pointerleave", () => { if (!drag) go(null); });
  box.addEventListener("dblclick", () => look(...span));
  const beside = (here, by) => { const row = boxes.filter((p) => p.r === here.r); return row[row.indexOf(here) + by]; };
  // across returns the box that shares most with another, in the next row that has one.
  const across = (here, by) => {
    const shared = (p) => Math.min(p.x + p.width, here.x + here.width) - Math.max(p.x, here.x), all = boxes.filter((p) => by * (p.y - here.y) > 0 && shared(p) > 0);
    const near = Math.min(...all.map((p) => by * p.y)), row = all.filter((p) => by * p.y === near);
    return row.reduce((best, p) => (!best || shared(p) > shared(best) ? p : best), null);
  };
  const keys = { "+": () => zoom(0.5), "-": () => zoom(2), 0: () => look(...span), Escape: () => { at = null; look(...span); }, Enter: () => at && into(at) };
  box.addEventListener("keydown", (e) => {
    let run = keys[e.key];
    if (/^Arrow/.test(e.key)) {
      const here = boxes.find((p) => p.b === at), next = !here ? boxes[0] : /Left|Right/.test(e.key) ? beside(here, e.key === "ArrowRight" ? 1 : -1) : across(here, e.key === "ArrowDown" ? 1 : -1);
      run = () => { if (next) go(next.b); };
    }
    if (run) { e.preventDefault(); run(); }
  });
  for (const [name, run] of [["in", keys["+"]], ["out", keys["-"]], ["whole", keys[0]]]) byId(`${id}-${name}`).addEventListener("click", run);
  return draw;
};

// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { data, colour, duration, start } = page;
  const SPAN = 20; // pixels
  if (!data.tree?.length) return;
  // Children begin where their parent does, one after the other.
  const { tree, zones } = data, left = [], depth = [], rows = [], name = (z) => zones[z]?.name ?? "other zones";
  let end = 0;
  tree.forEach((n, i) => {
    const inside = n.parent >= 0 && n.parent < i;
    depth[i] = inside ? depth[n.parent] + 1 : 0;
    const from = inside ? left[n.parent] : end, to = from + n.total_ns;
    if (inside) left[n.parent] = to; else end = to;
    left[i] = from;
    if (n.total_ns <= 0) return;
    (rows[depth[i]] ||= { height: SPAN, boxes: [] }).boxes.push({ from, to, look: `${n.zone >= 0 ? colour(n.zone) : "other"}${zones[n.zone]?.wait ? " wait" : ""}`, text: name(n.zone),
      say: [`${name(n.zone)}: ${duration(n.total_ns)} in ${n.calls} call${n.calls === 1 ? "" : "s"}${n.untimed ? `, and ${n.untimed} that were not timed; of all,` : ","} self ${duration(n.self_ns || 0)}${inside ? ` · in ${name(tree[n.parent].zone)}` : ""}`] });
  });
  start(page.lanes("lanes", { span: [0, Math.max(1, end)], rows: rows.filter(Boolean), hint: "Point at a box, or focus the tree and use the arrow keys. Drag to zoom." }));
})();

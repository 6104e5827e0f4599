// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, data, colour, duration, start } = page;
  const SPAN = 18, MARK = 9; // pixels
  const name = (z) => data.zones[z]?.name ?? "other zones";

  // rowsOf makes rows of a stretch of time, and says what it leaves out.
  const rowsOf = (s) => {
    const rows = [];
    for (const m of s.marks) {
      rows.push({ head: m.name });
      rows.push({ height: MARK, boxes: m.at.map((t, i) => ({ from: t, to: t, look: "sample", text: "", say: [`${m.texts?.[i] ?? m.name} at ${duration(t)}${i && !m.texts ? `, ${duration(t - m.at[i - 1])} after the one before` : ""}`] })) });
    }
    for (const lane of s.lanes) {
      rows.push({ head: lane.name });
      for (const row of lane.rows) {
        const boxes = [];
        for (let k = 0; k < row.length; k += 3) {
          const [z, from, took] = row.slice(k, k + 3);
          boxes.push({ from, to: from + took, look: `${z >= 0 ? colour(z) : "other"}${data.zones[z]?.wait ? " wait" : ""}`, text: name(z), say: [`${name(z)}: ${duration(took)}, from ${duration(from)} on · ${lane.name}`] });
        }
        boxes.sort((a, b) => a.from - b.from);
        rows.push({ height: SPAN, boxes });
      }
    }
    byId("left").textContent = [s.left && `${s.left} shorter spans of this time are not shown: zoom in to see them.`, s.more && `${s.more} more lanes, which worked less, are not shown.`].filter(Boolean).join(" ");
    return rows;
  };

  let asked = 0;
  const more = async (from, to) => {
    const mine = ++asked;
    try {
      const answer = await fetch(`spans?from=${Math.floor(from)}&to=${Math.ceil(to)}`), found = answer.ok && await answer.json();
      return found && mine === asked ? rowsOf(found) : null;
    } catch {
      byId("left").textContent = "strobe open has ended: only what was shown before can be seen.";
      return null;
    }
  };
  start(page.lanes("lanes", { span: [0, data.took], rows: rowsOf(data.first), more, hint: "Point at a box, or focus the timeline and use the arrow keys. Drag to zoom." }));
})();

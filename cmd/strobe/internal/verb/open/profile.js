// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { data, colour, digits, start, unit } = page;
  const SPAN = 20; // pixels
  const scales = { nanoseconds: null, bytes: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]] };
  const scale = scales[data.unit] === null ? unit : (v) => (scales[data.unit] || [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]).find(([per]) => v >= per) || [1, data.unit === "bytes" ? "B" : ""];
  const value = (v) => { const [per, name] = scale(v); return `${digits(v / per, 4)} ${name}`.trim(); };
  const share = (v) => `${digits((100 * v) / data.total, 3)} %`;
  // Children begin where their caller does, one after the other.
  const left = [], depth = [], rows = [];
  let end = 0;
  data.nodes.forEach(([parent, name, total, own], i) => {
    depth[i] = parent >= 0 ? depth[parent] + 1 : 0;
    const from = parent >= 0 ? left[parent] : end, to = from + total;
    if (parent >= 0) left[parent] = to; else end = to;
    left[i] = from;
    (rows[depth[i]] ||= { height: SPAN, boxes: [] }).boxes.push({ from, to, look: colour(name), text: data.names[name],
      say: [`${data.names[name]}: ${value(total)}, ${share(total)}, itself ${value(own)}${parent >= 0 ? ` · called by ${data.names[data.nodes[parent][1]]}` : ""}`] });
  });
  start(page.lanes("lanes", { span: [0, Math.max(1, data.total)], rows, unit: scale, hint: "Point at a function, or focus the graph and use the arrow keys. Drag to zoom." }));
})();

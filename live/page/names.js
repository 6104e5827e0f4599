// SPDX-License-Identifier: BSD-3-Clause The names of zones, paths and lanes, and the formats of numbers.

export const zoneName = ({ info }, zone) => (zone < 0 ? "other zones" : info.zones[zone]?.name ?? `zone ${zone}`);
export const laneName = ({ info }, lane) => (lane === -1 ? "other lanes" : info.lanes.get(lane) ?? `lane ${lane}`);

// noun is what the page shows: frames of a loop, slices of time, or calls of a root zone.
export const noun = ({ info }) => ((info.root ?? null) !== null ? "call" : info.slice ? "slice" : "frame");

// lanesOf returns the lanes of what is shown. The spans of a call are on its own goroutine, -2, or on others, -3.
export const lanesOf = ({ info }) => [...info.lanes.keys()].filter((lane) => lane < -1 === ((info.root ?? null) !== null));

// took formats a duration with three digits, including trailing zeros, so that columns are aligned.
export function took(ns) {
  if (Number.isNaN(ns)) return "–";
  const [per, unit] = page.unit(Number(ns.toPrecision(3))), v = ns / per;
  if (per === 1) return `${v && Math.abs(v) < 0.5 ? "<1" : Math.round(v)} ns`;
  return `${Math.abs(v) < 999.5 ? v.toPrecision(3) : Math.round(v)} ${unit}`;
}

// amount formats a count in at most five characters.
export function amount(n) {
  if (Number.isNaN(n)) return "–";
  if (n < 10000) return `${Math.round(n)}`;
  const [per, prefix] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([v]) => n >= 0.9995 * v), v = n / per;
  return `${v < 999.5 ? v.toPrecision(3) : Math.round(v)}${prefix}`;
}

// spaceOf returns the nodes of the tables: by lane if lanes are apart.
export const spaceOf = ({ view, paths }) => (view.apart || view.lane !== null ? paths.apart : paths.summed);

// pathName returns the zones from the outermost to a node, such as update/path. Node -1 is the time outside any zone.
export function pathName(model, space, node) {
  if (node < 0) return "outside any zone";
  const names = [];
  for (let n = node; n >= 0; n = space.parent[n]) names.unshift(zoneName(model, space.zone[n]));
  const lane = space.lane[node], lanes = model.view.apart && lanesOf(model).length > 1 && lane !== -1;
  return (lanes ? `${laneName(model, lane)}: ` : "") + names.join("/");
}

// found returns whether a zone or its lane matches the search.
export function found(model, zone, lane) {
  const text = model.view.find.trim().toLowerCase();
  return !text || zoneName(model, zone).toLowerCase().includes(text) || lane >= 0 && laneName(model, lane).toLowerCase().includes(text);
}

// SPDX-License-Identifier: BSD-3-Clause
// Files of the frames in view.
import { laneName, pathName, zoneName } from "./names.js";

function save(name, type, text) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

const stem = ({ info }) => `${(info.program || "strobe").replace(/[^\w.-]+/g, "_")}-frames`;

export function saveJSON(model, places) {
  const { frames, info, paths: { apart } } = model, list = places.map((i) => {
    const spent = [];
    frames.each(i, (path, calls, total) => {
      const node = apart.of[path], zones = [];
      for (let n = node; n >= 0; n = apart.parent[n]) zones.unshift(zoneName(model, apart.zone[n]));
      spent.push({ lane: laneName(model, apart.lane[node]), path: zones, calls, total_ns: total });
    });
    return { number: frames.number(i), start_ns: frames.start(i), duration_ns: frames.took(i), paths: spent };
  });
  save(`${stem(model)}.json`, "application/json", JSON.stringify({ version: 1, program: info.program, run: info.run, loop: info.loop, frames: list }));
}

// saveCSV writes a line a frame, with the time on each path summed over lanes.
export function saveCSV(model, places) {
  const { frames, paths: { summed } } = model, quote = (s) => `"${s.replace(/"/g, '""')}"`;
  const lines = [["number", "start_ns", "duration_ns", ...summed.zone.map((_, n) => quote(`${pathName(model, summed, n)} ns`))].join(",")];
  for (const i of places) {
    const sums = new Array(summed.zone.length).fill(0);
    frames.each(i, (path, calls, total) => { sums[summed.of[path]] += total; });
    lines.push([frames.number(i), frames.start(i), frames.took(i), ...sums].join(","));
  }
  save(`${stem(model)}.csv`, "text/csv", lines.join("\n") + "\n");
}

// SPDX-License-Identifier: BSD-3-Clause Files with the chosen frame, or else the frames of the tables.
import { laneName, noun, pathName, zoneName } from "./names.js";
import { encode } from "./pprof.js";
import { self, treeOf } from "./tables.js";

function save(name, type, data) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([data], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

const stem = ({ info }) => `${(info.program || "strobe").replace(/[^\w.-]+/g, "_")}-${(info.root ?? null) === null ? "frames" : "calls"}`;
const chosen = ({ view, frames }, places) => (view.frame ? [view.frame] : places.map((i) => frames.copy(i)));

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// subject describes the content of the files.
export function subject(model, places) {
  const { view } = model, what = noun(model);
  if (view.frame) return `${what[0].toUpperCase()}${what.slice(1)} ${view.frame.number || "that has not ended"}`;
  return `${count(places.length, what)} ${view.range ? "in the range" : "in view"}`;
}

export function saveJSON(model, places) {
  const { info, paths: { apart } } = model, list = chosen(model, places).map((f) => {
    const spent = [];
    for (let k = 0; k < f.flat.length; k += 3) {
      const node = apart.of[f.flat[k]], zones = [];
      for (let n = node; n >= 0; n = apart.parent[n]) zones.unshift(zoneName(model, apart.zone[n]));
      spent.push({ lane: laneName(model, apart.lane[node]), path: zones, calls: f.flat[k + 1], total_ns: f.flat[k + 2] });
    }
    return { number: f.number, start_ns: f.start, duration_ns: f.took, ...(f.notes && { notes: Object.fromEntries(f.notes) }), paths: spent };
  });
  save(`${stem(model)}.json`, "application/json", JSON.stringify({ version: 1, program: info.program, run: info.run, loop: info.loop, ...((info.root ?? null) !== null && { root: zoneName(model, info.root) }), frames: list }));
}

// saveCSV writes a line for each frame, with the time on each path summed over lanes.
export function saveCSV(model, places) {
  const { paths: { summed } } = model, quote = (s) => `"${s.replace(/"/g, '""')}"`;
  const lines = [["number", "start_ns", "duration_ns", ...summed.zone.map((_, n) => quote(`${pathName(model, summed, n)} ns`))].join(",")];
  for (const f of chosen(model, places)) lines.push([f.number, f.start, f.took, ...treeOf(f, summed).total].join(","));
  save(`${stem(model)}.csv`, "text/csv", lines.join("\n") + "\n");
}

// saveProfile writes the sums over the frames as a profile: a sample for each path of zones on a lane.
export async function saveProfile(model, places) {
  const data = new Blob([encode(samples(model, places))]).stream().pipeThrough(new CompressionStream("gzip"));
  save(`${stem(model)}.pb.gz`, "application/octet-stream", await new Response(data).arrayBuffer());
}

// samples returns the samples of the profile. Self times may be negative if outer spans were lost, so that the sums are correct.
export function samples(model, places) {
  const { info, paths: { apart } } = model, frames = chosen(model, places), calls = new Float64Array(apart.zone.length), total = new Float64Array(apart.zone.length);
  for (const { flat } of frames) for (let k = 0; k < flat.length; k += 3) { const n = apart.of[flat[k]]; calls[n] += flat[k + 1]; total[n] += flat[k + 2]; }
  const own = self({ total }, apart), out = [], zone = (z) => ({ key: z, name: zoneName(model, z), where: info.zones[z]?.where || "" });
  for (let n = 0; n < own.length; n++) {
    if (!calls[n] && !own[n]) continue;
    const stack = [];
    for (let k = n; k >= 0; k = apart.parent[k]) stack.push(zone(apart.zone[k]));
    out.push({ stack, calls: calls[n], self: own[n], labels: { lane: laneName(model, apart.lane[n]), ...(info.zones[apart.zone[n]]?.wait && { kind: "wait" }) } });
  }
  const unit = noun(model), notes = frames.length ? [`${count(frames.length, unit)}${info.loop && ` of the loop ${info.loop}`}, from number ${frames[0].number} to ${frames[frames.length - 1].number}`] : [];
  for (const z of info.zones) if (z.every > 1) notes.push(`the zone ${z.name} is sampled: one in ${z.every} calls is in this profile`);
  return { samples: out, notes, duration: frames.reduce((s, f) => s + f.took, 0) };
}

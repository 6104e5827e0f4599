// SPDX-License-Identifier: BSD-3-Clause
// The live page: takes the stream in, and draws once a display frame at most.
import { Act } from "./act.js";
import { Colours } from "./colours.js";
import { Frames, Paths } from "./frames.js";
import { Strip } from "./strip.js";
import { connect } from "./stream.js";
import { View } from "./view.js";

const { byId, digits } = page;
const model = { frames: new Frames(), paths: new Paths(), view: new View(), colours: new Colours(),
  info: { run: "", zones: [], lanes: new Map(), tops: new Set(), slice: 0 } };
const { frames, view, info, colours } = model;

let waiting = false;
const draw = () => { if (!waiting) { waiting = true; requestAnimationFrame(paint); } };
const act = new Act(model, { changed: draw, read: () => {}, point: () => {} });
const strip = new Strip(byId("strip"), model, act);

function paint() {
  waiting = false;
  if (!view.frozen) view.end = act.latest();
  strip.draw();
  if (frames.count && !window.ready) { window.ready = true; window.firstPlot = performance.now(); }
}

const on = {
  hello(m) {
    if (m.run !== info.run) { model.paths = new Paths(); frames.clear(); }
    Object.assign(info, { run: m.run, zones: m.zones, slice: m.slice_ns });
    view.given = m.budget_ns || 0;
    byId("program").textContent = m.program;
    byId("status").textContent = `process ${m.pid}`;
  },
  frames(m) {
    for (const [path, lane, parent, zone] of m.paths || []) {
      model.paths.add(path, lane, parent, zone);
      if (parent < 0) { info.tops.add(zone); colours.meet(zone); } // before the zones inside: these have the strongest colours
    }
    for (const [, , , zone] of m.paths || []) colours.meet(zone);
    for (const f of m.frames || []) if (f[0] > frames.last()) frames.push(f);
    draw();
  },
  state(m) {
    byId("rate").textContent = m.rate_hz === undefined ? "–" : digits(m.rate_hz, 4);
    byId("low1").textContent = m.low1_fps === undefined ? "–" : digits(m.low1_fps, 3);
    byId("p99").textContent = m.p99_ns === undefined ? "–" : page.duration(m.p99_ns, 3);
  },
  bye() { byId("status").textContent = "the program has ended"; },
  broken() { byId("status").textContent = "reconnecting"; },
};
connect("", on);

// SPDX-License-Identifier: BSD-3-Clause Adds messages to the model.
import { Units } from "./units.js";

export class Intake {
  lost = 0;
  #settled = false; // the backlog is complete
  #reached = 0; // ns; end of the latest frame
  #frames; // of loops

  constructor(model, act, tracks) { Object.assign(this, { model, act, tracks }); this.#frames = model.frames; }

  // behind says whether the backlog is being repeated and has not reached the previous end: a picture would jump back.
  get behind() { return this.model.info.root === null && !this.#settled && this.act.latest() < this.#reached; }

  hello(m) {
    const { info, view, frames } = this.model;
    const root = m.root ?? null;
    if (m.run !== info.run) this.#forgetAll();
    else if (m.loop !== info.loop || root !== info.root) this.forget();
    if (root !== info.root) this.#turn(root);
    if (!frames.count) this.#settled = root !== null;
    Object.assign(info, { root, roots: m.roots || [], wall: Date.now() - m.now_ns / 1e6, run: m.run, program: m.program, loop: m.loop, lane: m.lane ?? null, loops: m.loops || [], zones: m.zones || [], slice: m.slice_ns || 0, enabled: m.enabled, recording: m.record_bytes !== 0 });
    view.given = m.slice_ns || root !== null ? 0 : m.budget_ns || 0;
  }

  frames(m) {
    const { info, paths, colours, view } = this.model;
    for (const [lane, name] of m.lanes || []) info.lanes.set(lane, name);
    for (const [path, lane, parent, zone] of m.paths || []) {
      paths.add(path, lane, parent, zone);
      if (parent < 0) colours.meet(zone); // before inner zones, since outermost ones get the strongest colours
    }
    for (const [, , , zone] of m.paths || []) colours.meet(zone);
    if (m.reset) this.model.extras.clear();
    this.model.extras.take(m);
    if (info.root !== null) this.model.frames.take(m, view.frozen);
    for (const f of m.frames || []) this.#take(f, m.backlog);
    if (m.frames?.length && !m.backlog) this.#settled = true;
    this.#reached = Math.max(this.#reached, this.act.latest());
    this.tracks.take(m);
    if (m.reports) this.model.reports.add(m.reports);
    this.lost += m.lost || 0;
  }

  #take(f, backlog) {
    const { frames, info, view } = this.model, value = info.slice ? this.#busy(f) : f[2];
    if (f[0] <= frames.last() && (!backlog || this.#settled)) return; // it is a repetition
    if (!this.#settled && f[0] !== frames.last() + 1) frames.clear(); // the worst frames of long ago came first; copies of them are kept
    if (frames.push(f, value)) this.model.level.add(f, 3);
    if (!backlog && view.slow && !view.frozen && value > view.over) this.act.choose(frames.copy(frames.end - 1));
  }

  // turn turns from frames to the calls of a root zone, or back.
  #turn(root) {
    const { model, model: { info, view } } = this;
    info.root = root;
    model.frames = root === null ? this.#frames : new Units();
    view.lane = null;
    view.span = this.act.usual;
  }

  // busy returns the value of a slice: the time in zones of all lanes, minus that in zones that wait.
  #busy(f) {
    const { info, paths: { apart } } = this.model, waits = (n) => n >= 0 && (info.zones[apart.zone[n]]?.wait || waits(apart.parent[n]));
    let sum = 0;
    for (let k = 3; k < f.length; k += 3) {
      const n = apart.of[f[k]], p = apart.parent[n];
      if (waits(n)) sum -= waits(p) || p < 0 ? 0 : f[k + 2];
      else if (p < 0) sum += f[k + 2];
    }
    return Math.max(0, sum);
  }

  // forget discards the frames, when another loop is shown.
  forget() {
    const { frames, view, level } = this.model;
    frames.clear();
    this.model.extras.clear();
    level.forget();
    frames.worst.length = 0; // of units it is empty already
    frames.refused = this.lost = this.#reached = 0;
    Object.assign(view, { frozen: false, usual: 0 });
    this.act.clear();
  }

  // forgetAll discards everything about another process.
  #forgetAll() {
    const { model, model: { info, view, colours, paths } } = this;
    this.forget();
    view.marks = { a: null, b: null };
    view.lane = null;
    paths.clear();
    info.lanes.clear();
    this.tracks.clear();
    model.reports.clear();
    model.extras.looks = null;
    colours.forget();
  }
}

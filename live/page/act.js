// SPDX-License-Identifier: BSD-3-Clause The actions of a user on the view.
import { tree } from "./tables.js";

const SPAN = 10e9, LONG = 60e9; // ns; of frames, of calls

export class Act {
  // changed is called after each change of the view, read with the frame to describe, point with the time under the pointer.
  constructor(model, { changed, read, point }) { Object.assign(this, { model, changed, read, point }); }

  freeze(on) {
    const { view, frames } = this.model;
    view.frozen = on;
    if (on) frames.hold = frames.after(view.from);
    else { view.frame = view.range = view.cloud = null; view.end = this.latest(); frames.hold = Infinity; }
    this.changed();
  }

  // usual is the usual length of the window.
  get usual() { return this.model.info.root === null ? SPAN : LONG; }

  latest() { const { frames } = this.model; return frames.latest ?? this.#ended(); }
  #ended() { const { frames } = this.model, i = frames.end - 1; return frames.count ? frames.start(i) + frames.took(i) : 0; }

  // choose freezes the view and shows a copy of a frame.
  choose(frame) {
    const { view } = this.model, end = frame.start + frame.took;
    if (end <= view.from || frame.start >= view.end) view.end = frame.start + frame.took / 2 + view.span / 2;
    view.frame = frame;
    this.freeze(true);
  }

  // step goes from the chosen frame to another one.
  step(by) {
    const { frames, view } = this.model;
    if (!frames.count) return;
    let i = view.frame ? frames.place(view.frame.number) : -1;
    i = i < 0 ? Math.min(frames.end - 1, frames.after(view.end - 1)) : i + by;
    if (frames.next && view.frame) i = frames.next(i - by, by);
    this.choose(frames.copy(Math.max(frames.first, Math.min(frames.end - 1, i))));
  }

  // worst goes through the worst frames.
  worst(by) {
    const { frames: { worst }, view } = this.model;
    if (!worst.length) return;
    const at = worst.findIndex((f) => f.number === view.frame?.number);
    this.choose(worst[at < 0 ? 0 : (at + by + worst.length) % worst.length]);
  }

  range(range) { Object.assign(this.model.view, { range, frame: null }); this.freeze(true); }
  // cloud selects the calls that ended in a range of time and took between two durations.
  cloud(range, cloud) { Object.assign(this.model.view, { range, cloud, frame: null }); this.freeze(true); }
  scroll(ns) { const { view } = this.model; view.end = this.#inside(view.end + ns); this.freeze(view.end < this.latest()); }
  // show scrolls so that a time is in the middle.
  show(t) { const { view } = this.model; view.end = this.#inside(t + view.span / 2); this.freeze(true); }
  #inside(end) {
    const { frames, view } = this.model, oldest = frames.count ? frames.start(frames.first) : 0;
    return Math.min(this.latest(), Math.max(end, oldest + Math.min(view.span, this.latest() - oldest)));
  }

  // zoom changes the window around the chosen frame or the right edge.
  zoom(by, at = this.model.view.frame?.start ?? this.model.view.end) {
    const { view } = this.model, span = Math.max(1e6, Math.min(3600e9, by ? view.span * by : this.usual));
    if (view.frozen) view.end = at + (view.end - at) * (span / view.span);
    view.span = span;
    if (view.frozen) this.freeze(true); else this.changed();
  }

  slow(on) { this.model.view.slow = on; this.changed(); }
  limit(ns) { this.model.view.limit = ns; this.changed(); }
  band(lo, hi) { this.model.view.band = [lo, hi]; this.changed(); }
  noted(text) { this.model.view.noted = text; this.changed(); }
  find(text) { this.model.view.find = text; this.changed(); }
  lane(lane) { this.model.view.lane = lane; this.changed(); }
  apart(on) { this.model.view.apart = on; this.changed(); }
  zone(zone) { const { view } = this.model; view.zone = view.zone === zone ? null : zone; this.changed(); }

  // brush keeps only the frames in which the time in a zone is within a range.
  brush(brush) {
    const { view } = this.model;
    view.brush = brush;
    if (brush) view.frame = null; // the remaining frames are selected instead
    if (brush && !view.frozen) this.freeze(true); else this.changed();
  }

  // clear clears the selection or, if there is none, the bookmarks.
  clear() {
    const { view } = this.model;
    if (!view.chosen) view.marks = { a: null, b: null };
    Object.assign(view, { frame: null, range: null, cloud: null, brush: null, zone: null });
    this.changed();
  }

  // mark sets or removes a bookmark for the chosen frame, or else for the mean of the frames in view.
  mark(name, places) {
    const { view, frames, paths } = this.model;
    if (view.marks[name]) view.marks[name] = null;
    else if (view.frame) view.marks[name] = { what: `frame ${view.frame.number}`, at: view.frame.start, frame: view.frame };
    else if (places.length) view.marks[name] = { what: `the mean of ${places.length} frame${places.length === 1 ? "" : "s"}`, at: (view.scope[0] + view.scope[1]) / 2, tree: tree(frames, places, paths.apart) };
    this.changed();
  }
}

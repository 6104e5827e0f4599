// SPDX-License-Identifier: BSD-3-Clause Pointers, wheels and keys on the timeline of a frame.
import { under } from "./canvas.js";
import { fitted, pan, zoom } from "./spans.js";

const STILL = 4; // pixels that the pointer may move in a click

export class Hands {
  constructor(timeline, axis, box) {
    Object.assign(this, { timeline, axis, box, down: new Map(), drag: null });
    this.#lanes();
    this.#axis();
    this.#keys();
    for (const e of [axis, box]) e.addEventListener("wheel", (ev) => this.#wheel(ev, e), { passive: false });
  }

  get #per() { const [lo, hi] = this.timeline.win; return (hi - lo) / this.box.clientWidth; } // ns a pixel

  #wheel(e, box) {
    const { timeline: t } = this, scale = e.deltaMode === 1 ? 33 : 1, dx = e.deltaX * scale, dy = e.deltaY * scale;
    if (e.shiftKey && !dx) { this.box.scrollTop += dy; e.preventDefault(); return; }
    e.preventDefault();
    if (Math.abs(dx) > Math.abs(dy)) t.look(pan(t.win, dx * this.#per, t.whole));
    else t.zoom(2 ** (Math.max(-300, Math.min(300, dy)) / (e.ctrlKey ? 50 : 300)), t.drawing.at(under(box, e).x));
  }

  // lanes: dragging moves, two fingers zoom, a click chooses.
  #lanes() {
    const { box, timeline: t, down } = this;
    box.addEventListener("pointerdown", (e) => {
      const p = under(box, e);
      if (e.button !== 0 || p.x >= box.clientWidth) return; // the scroll bar
      down.set(e.pointerId, p);
      this.#grip(down.size > 1);
    });
    box.addEventListener("pointermove", (e) => {
      const p = under(box, e), d = this.drag;
      if (!down.has(e.pointerId)) { if (!down.size) t.point(p.x < box.clientWidth ? p : null); return; }
      down.set(e.pointerId, p);
      if (!d.moved && Math.hypot(p.x - d.x, p.y - d.y) <= STILL) return;
      if (!d.moved) box.setPointerCapture(e.pointerId); // not earlier: otherwise clicks would be events of the box
      d.moved = true;
      if (down.size > 1) {
        const [a, b] = [...down.values()], by = d.apart / Math.max(10, this.#apart()), mid = (a.x + b.x) / 2;
        t.look(zoom(d.win, by, d.win[0] + (mid / box.clientWidth) * (d.win[1] - d.win[0]), t.whole));
        return;
      }
      box.scrollTop = d.top - (p.y - d.y);
      t.look(pan(d.win, -(p.x - d.x) * this.#per, t.whole));
    });
    const end = (e) => {
      if (down.delete(e.pointerId)) this.#grip(true);
    };
    box.addEventListener("pointerup", (e) => { const d = this.drag; end(e); if (d && !d.moved) t.press(under(box, e)); });
    box.addEventListener("pointercancel", end);
    box.addEventListener("pointerleave", () => { if (!down.size) t.point(null); });
    box.addEventListener("dblclick", () => t.fit());
  }

  // grip remembers what is under the pressed pointers.
  #grip(moved) {
    const [first] = this.down.values();
    this.drag = first ? { ...first, win: this.timeline.win, top: this.box.scrollTop, moved, apart: this.#apart() } : null;
  }

  #apart() { const [a, b] = [...this.down.values()]; return b ? Math.abs(a.x - b.x) : 0; }

  // axis: dragging zooms to a stretch of time; in the whole frame it moves the window.
  #axis() {
    const { axis, timeline: t } = this;
    let from = null; // { small, at, win }
    const at = (e, small) => { const { x } = under(axis, e), w = this.box.clientWidth; return Math.max(0, Math.min(t.whole, small ? (x / w) * t.whole : t.drawing.at(x))); };
    axis.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      axis.setPointerCapture(e.pointerId);
      const small = t.drawing.inMap(under(axis, e).y), time = at(e, small), [lo, hi] = t.win;
      from = { small, time, x: e.clientX, win: t.win, slide: small && hi - lo < t.whole && lo <= time && time <= hi };
    });
    axis.addEventListener("pointermove", (e) => {
      if (!from) { const p = under(axis, e); t.point({ x: p.x, y: -1 }); return; }
      const time = at(e, from.small);
      if (from.slide) { t.look(pan(from.win, time - from.time, t.whole)); return; }
      if (Math.abs(e.clientX - from.x) <= STILL && !t.brush) return;
      t.brush = Object.assign([from.time, time], { small: from.small });
      t.draw();
    });
    axis.addEventListener("pointerup", (e) => {
      const { brush } = t;
      t.brush = null;
      if (brush) t.look(fitted([...brush].sort((a, b) => a - b), t.whole));
      else if (from?.small && !from.slide) { const mid = at(e, true), half = (t.win[1] - t.win[0]) / 2; t.look(fitted([mid - half, mid + half], t.whole)); }
      from = null;
    });
    axis.addEventListener("pointercancel", () => { from = t.brush = null; t.draw(); });
    axis.addEventListener("pointerleave", () => { if (!from) t.point(null); });
    axis.addEventListener("dblclick", () => t.fit());
  }

  #keys() {
    const { box, timeline: t } = this, half = () => (t.win[1] - t.win[0]) / 2;
    const deeds = {
      "+": () => t.zoom(0.5), "=": () => t.zoom(0.5), "-": () => t.zoom(2), 0: () => t.fit(), f: () => t.fit(),
      PageUp: () => t.look(pan(t.win, -half(), t.whole)), PageDown: () => t.look(pan(t.win, half(), t.whole)),
      Home: () => t.look(pan(t.win, -Infinity, t.whole)), End: () => t.look(pan(t.win, Infinity, t.whole)),
      Enter: () => t.into(),
    };
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) deeds[key] = () => t.go(key);
    box.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !deeds[e.key]) return;
      e.preventDefault();
      e.stopPropagation();
      deeds[e.key]();
    });
  }
}

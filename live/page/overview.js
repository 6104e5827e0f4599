// SPDX-License-Identifier: BSD-3-Clause
// All frames that are kept, however long ago, as wide as the page; the window that the strip shows is marked.
import { begin, under } from "./canvas.js";

export class Overview {
  constructor(box, model, act) {
    Object.assign(this, { box, model, act });
    const go = (e) => {
      const { frames } = model, i = frames.first + Math.floor((under(box, e).x / box.clientWidth) * frames.count);
      if (frames.count) act.show(frames.start(Math.max(frames.first, Math.min(frames.end - 1, i))));
    };
    box.addEventListener("pointerdown", (e) => { box.setPointerCapture(e.pointerId); go(e); });
    box.addEventListener("pointermove", (e) => { if (e.buttons) go(e); });
  }

  draw() {
    const { frames, view, colours } = this.model, { c, w, h } = begin(this.box), top = 3 * view.budget, n = frames.count;
    if (!n) return;
    const each = Math.max(1, Math.floor(w / n)); // pixels
    for (let px = 0; px < w; px += each) {
      const a = frames.first + Math.floor((px / w) * n), b = Math.max(a + 1, frames.first + Math.floor(((px + each) / w) * n));
      let most = 0;
      for (let i = a; i < Math.min(b, frames.end); i++) most = Math.max(most, frames.value(i));
      const v = (Math.min(most, top) / top) * (h - 2);
      c.fillStyle = most > view.over ? colours.mark : colours.other;
      c.fillRect(px, h - v, each, v);
    }
    const x = (i) => ((i - frames.first) / n) * w, left = x(frames.after(view.from)), right = x(Math.min(frames.end, frames.after(view.end)));
    c.strokeStyle = colours.ink;
    c.strokeRect(left + 0.5, 0.5, Math.max(3, right - left - 1), h - 1);
  }
}

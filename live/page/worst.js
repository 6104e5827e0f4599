// SPDX-License-Identifier: BSD-3-Clause The worst frames, of all frames or of those that match the filter.
import { took } from "./names.js";

const FEW = 3; // shown however short they are

export class Worst {
  #key = "";
  constructor(bar, model, act) { Object.assign(this, { bar, model, act }); }

  draw(places) {
    const { frames, view } = this.model, narrow = view.range || view.brush || view.band[0] > 0 || view.band[1] < Infinity;
    const list = narrow ? [...places].sort((a, b) => frames.value(b) - frames.value(a)).slice(0, frames.keep).map((i) => ({ number: frames.number(i), value: frames.value(i), i })) : frames.worst.filter((f, i) => i < FEW || f.value > 1.1 * view.budget);
    const key = `${narrow ? "of these" : ""} ${list.map((f) => f.number)}`;
    if (key !== this.#key) { this.#key = key; this.#fill(list, narrow); }
    for (const b of this.bar.querySelectorAll("button")) b.setAttribute("aria-pressed", Number(b.dataset.frame) === view.frame?.number);
  }

  #fill(list, narrow) {
    const name = document.createElement("span");
    name.className = "sub";
    name.textContent = !list.length ? "No worst frames" : narrow ? "Worst of these" : this.model.info.slice ? "Busiest" : "Worst frames";
    this.bar.replaceChildren(name, ...list.map((f) => {
      const b = document.createElement("button");
      b.type = "button";
      b.dataset.frame = f.number;
      b.textContent = took(f.value);
      b.setAttribute("aria-label", `${this.model.info.slice ? "slice" : "frame"} ${f.number}, ${took(f.value)}`);
      b.title = "Freezes the strip here, and shows what differs from other frames. Keys: W, Shift W";
      b.addEventListener("click", () => this.#choose(f));
      return b;
    }));
  }

  #choose(f) {
    const { frames } = this.model, i = frames.place(f.number), kept = frames.worst.find((w) => w.number === f.number);
    if (i >= 0) this.act.choose(frames.copy(i));
    else if (kept) this.act.choose(kept);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// What is known of frames and calls beside their times: the notes of frames, and what their goroutines did. And the same of zones.
import { noted } from "./units.js";

const MOST = 20000; // frames or calls of each kind

export class Extras {
  looks = null; // of package capture; null: it was not started
  #notes = new Map(); #splits = new Map(); // by number

  take(m) {
    for (const [number, ...texts] of m.notes || []) put(this.#notes, number, texts.flatMap((_, k) => (k % 2 ? [] : [[texts[k], texts[k + 1]]])));
    for (const [number, ...times] of m.splits || []) put(this.#splits, number, times);
  }

  clear() { this.#notes.clear(); this.#splits.clear(); }
  get count() { return this.#notes.size + this.#splits.size; }

  // notes writes the notes of a frame or a call.
  notes(u) { return noted(u.notes ? u : { notes: this.#notes.get(u.number) }); }

  // noted returns the numbers of the frames that have notes.
  get noted() { return [...this.#notes.keys()]; }

  // split returns what a frame or call did; undefined if that is not known.
  split(u) { return u.open ? undefined : this.#splits.get(u.number); }

  // zone returns the shares of a zone's own time in the stretches that were looked at; undefined if there is none.
  zone(zone) { return shares(this.looks?.zones?.find((z) => z.zone === zone)); }

  // root returns the shares of the time of the calls of a root zone.
  root(zone) { return shares(this.looks?.units?.find((z) => z.zone === zone)); }

  // why says why it is not known what a frame or a call did.
  why(noun) {
    const { looks } = this;
    if (!looks) return "Start package capture in the program to see it.";
    if (!looks.covered_ns) return `Not seen: ${looks.reason}.`;
    return `Package capture looks at some stretches of time: none had all of this ${noun}.`;
  }
}

function put(map, number, value) {
  map.set(number, value);
  if (map.size > MOST) map.delete(map.keys().next().value);
}

// shares returns the shares of running, ready and waiting in what is known, with the time that they are of.
function shares(s) {
  if (!s) return undefined;
  const known = s.running_ns + s.ready_ns + s.waiting_ns;
  return known ? { running: s.running_ns / known, ready: s.ready_ns / known, waiting: s.waiting_ns / known, known } : undefined;
}

export const percent = (share) => `${share > 0 && share < 0.005 ? "<1" : Math.round(100 * share)} %`;

// told writes what a frame or a call did, with the largest share first.
export function told(split, displaced, write) {
  const sum = split.reduce((a, b) => a + b, 0), words = [displaced ? "running or preempted" : "running", "ready", "waiting", "unknown"];
  return split.map((d, k) => [d, words[k]]).filter(([d]) => d > 0).sort((a, b) => b[0] - a[0]).map(([d, word]) => `${write(d)} ${word} (${percent(d / sum)})`).join(", ");
}

// Division shows what the chosen frame or call did.
export class Division {
  constructor(box, model) { Object.assign(this, { box, model }); }

  draw(noun, write) {
    const { view: { frame }, extras, info } = this.model, split = frame && extras.split(frame);
    this.box.hidden = !frame || info.slice > 0 || frame.open === true;
    if (this.box.hidden) return;
    const notes = (info.root ?? null) === null ? extras.notes(frame) : "";
    const text = split ? `It was ${told(split, extras.looks?.displaced, write)}.` : `When it ran and waited is not known. ${extras.why(noun)}`;
    const all = [notes && `Notes: ${notes}`, text].filter(Boolean).join("\n");
    if (this.box.dataset.text === all) return;
    this.box.dataset.text = all;
    this.box.replaceChildren(...all.split("\n").map((line) => { const p = document.createElement("p"); p.textContent = line; return p; }));
  }
}

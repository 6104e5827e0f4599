// SPDX-License-Identifier: BSD-3-Clause
// One hue for each zone, the same everywhere: the six of the other pages, then their tints and shades.

const parse = (hex) => [1, 3, 5].map((i) => parseInt(hex.length < 7 ? hex[(i + 1) / 2] + hex[(i + 1) / 2] : hex.slice(i, i + 2), 16));
const mix = (a, b, share) => `#${a.map((v, i) => Math.round(v + (b[i] - v) * share).toString(16).padStart(2, "0")).join("")}`;
const light = (hex) => { const [r, g, b] = parse(hex); return 0.3 * r + 0.59 * g + 0.11 * b > 140; };

export class Colours {
  #order = new Map();
  constructor() { this.read(); }

  // read reads the colours of the style sheet, which depend on the colour scheme.
  read() {
    const css = getComputedStyle(document.documentElement), get = (name) => css.getPropertyValue(`--${name}`).trim();
    for (const name of ["bg", "panel", "ink", "soft", "line", "grid", "mark", "select"]) this[name] = get(name);
    const bg = parse(this.bg), ink = parse(this.ink), base = [0, 1, 2, 3, 4, 5].map((i) => parse(get(`c${i}`)));
    this.list = [...base.map((c) => mix(c, c, 0)), ...base.map((c) => mix(c, bg, 0.4)), ...base.map((c) => mix(c, ink, 0.4))];
    this.pale = this.list.map((c) => mix(parse(c), bg, 0.64)); // for zones that wait
    this.text = this.list.map((c) => (light(c) ? "#000" : "#fff"));
    this.other = mix(parse(this.soft), bg, 0.5);
  }

  // meet gives a zone the next hue when it is first seen.
  meet(zone) { if (zone >= 0 && !this.#order.has(zone)) this.#order.set(zone, this.#order.size % this.list.length); }
  // of returns the colour of a zone, pale if it waits.
  of(zone, wait) { const i = this.#order.get(zone); return i === undefined ? this.other : (wait ? this.pale : this.list)[i]; }
  // on returns the colour of text on the colour of a zone.
  on(zone, wait) { const i = this.#order.get(zone); return i === undefined || wait ? this.ink : this.text[i]; }
  forget() { this.#order.clear(); }
}

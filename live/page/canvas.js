// SPDX-License-Identifier: BSD-3-Clause Canvases with the resolution of the screen, in boxes that keyboards and screen readers
// can reach.

// begin fits the canvas of a box to its size, or to a given height, clears it, and returns its context, in CSS pixels.
export function begin(box, height, w = box.clientWidth) {
  const canvas = box.querySelector("canvas"), h = height ?? box.clientHeight, d = devicePixelRatio || 1;
  if (height !== undefined && box.style.height !== `${h}px`) box.style.height = `${h}px`;
  if (canvas.width !== Math.round(w * d) || canvas.height !== Math.round(h * d)) {
    canvas.width = Math.round(w * d);
    canvas.height = Math.round(h * d);
    canvas.style.width = `${w}px`;
    canvas.style.height = `${h}px`;
  }
  const c = canvas.getContext("2d");
  c.setTransform(d, 0, 0, d, 0, 0);
  c.clearRect(0, 0, w, h);
  c.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
  c.textBaseline = "middle";
  return { c, w, h };
}

// label writes text on the colour of the page, so that it is readable over anything.
export function label(c, text, x, y, colours, align = "left", ink = colours.soft) {
  const w = c.measureText(text).width + 6, left = align === "right" ? x - w : align === "center" ? x - w / 2 : x;
  c.globalAlpha = 0.75;
  c.fillStyle = colours.bg;
  c.fillRect(left, y - 6, w, 12);
  c.globalAlpha = 1;
  c.textAlign = "left";
  c.fillStyle = ink;
  c.fillText(text, left + 3, y);
  return left + w;
}

// fit returns the longest beginning of a text that is at most so wide.
export function fit(c, text, w) {
  if (w < 14) return "";
  if (c.measureText(text).width <= w) return text;
  let n = Math.max(1, Math.floor((text.length * w) / c.measureText(text).width));
  while (n > 0 && c.measureText(text.slice(0, n) + "…").width > w) n--;
  return n > 0 ? text.slice(0, n) + "…" : "";
}

// under returns the position of a pointer in a box.
export const under = (box, event) => { const r = box.getBoundingClientRect(); return { x: event.clientX - r.left, y: event.clientY - r.top }; };

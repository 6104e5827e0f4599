// SPDX-License-Identifier: BSD-3-Clause Keys, wherever the focus is, except in text fields and for keys of buttons.

export function listen(act, { view, zones, find, help, mark }) {
  const deeds = {
    " ": () => act.freeze(!view.frozen),
    ArrowLeft: () => act.step(-1), ArrowRight: () => act.step(1),
    w: () => act.worst(1), W: () => act.worst(-1),
    PageUp: () => act.scroll(-view.span / 2), PageDown: () => act.scroll(view.span / 2),
    Home: () => act.show(0), End: () => act.freeze(false),
    "+": () => act.zoom(0.5), "=": () => act.zoom(0.5), "-": () => act.zoom(2), 0: () => act.zoom(0),
    s: () => act.slow(!view.slow),
    a: () => mark("a"), b: () => mark("b"),
    t: () => zones.tail(view.zone ?? zones.first()),
    l: () => act.apart(!view.apart),
    "/": () => find.focus(),
    "?": () => help.showModal(),
    Escape: () => act.clear(),
  };
  addEventListener("keydown", (e) => {
    const at = e.target instanceof Element ? e.target : document.body, typing = at.matches("select, textarea, input:not([type=checkbox])"), presses = at.matches("button, summary, a, input, [role=button]") && (e.key === " " || e.key === "Enter");
    if (typing && e.key === "Escape") { if (at === find) { find.value = ""; act.find(""); } at.blur(); return; }
    if (e.defaultPrevented || typing || presses || help.open || e.ctrlKey || e.metaKey || e.altKey || !deeds[e.key]) return;
    e.preventDefault();
    deeds[e.key]();
  });
  find.addEventListener("input", () => act.find(find.value));
  find.addEventListener("keydown", (e) => { if (e.key === "Enter" && zones.first() !== null) act.zone(zones.first()); });
}

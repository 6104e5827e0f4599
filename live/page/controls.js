// SPDX-License-Identifier: BSD-3-Clause
// Buttons, fields and menus.
import { saveCSV, saveJSON, saveProfile, subject } from "./exports.js";
import { laneName, lanesOf, zoneName } from "./names.js";

const RECORD = 8 << 20; // bytes

// controls connects them; show updates them to the view and the program.
export function controls(model, act, { places, command, mark, reconnect }) {
  const { view, info } = model, { byId, digits } = page, click = (id, f) => byId(id).addEventListener("click", f);
  const ms = (id) => { const v = parseFloat(byId(id).value.replace(",", ".")); return v >= 0 ? 1e6 * v : NaN; };
  click("freeze", () => act.freeze(!view.frozen));
  byId("slow").addEventListener("change", (e) => act.slow(e.target.checked));
  byId("limit").addEventListener("input", () => act.limit(ms("limit") || 0));
  for (const id of ["least", "most"]) byId(id).addEventListener("input", () => { const hi = ms("most"); act.band(ms("least") || 0, hi >= 0 ? hi : Infinity); });
  byId("loop").addEventListener("change", (e) => reconnect(e.target.value));
  byId("lane").addEventListener("change", (e) => act.lane(e.target.value === "" ? null : Number(e.target.value)));
  click("apart", () => act.apart(!view.apart));
  click("mark-a", () => mark("a"));
  click("mark-b", () => mark("b"));
  click("clear", () => act.clear());
  click("keys", () => byId("help").showModal());
  click("json", () => saveJSON(model, places()));
  click("csv", () => saveCSV(model, places()));
  click("profile", () => saveProfile(model, places()));
  click("enabled", () => command({ enabled: !info.enabled }));
  click("record", () => command({ record_bytes: info.recording ? 0 : RECORD }));
  click("reset", () => command({ reset: true }));
  for (const menu of document.querySelectorAll("details.menu")) {
    addEventListener("pointerdown", (e) => { if (!menu.contains(e.target)) menu.open = false; });
  }

  function options(id, list, value) {
    const select = byId(id), key = JSON.stringify(list);
    select.hidden = list.length < 2;
    if (select.dataset.key !== key) { select.dataset.key = key; select.replaceChildren(...list.map(([v, text]) => new Option(text, v))); }
    if (document.activeElement !== select) select.value = value;
  }

  // offer names the content of the files: what is shown; while the window moves on, the spans are all there are.
  function offer() {
    const f = view.frame, [from, to] = f ? [f.start, f.start + f.took] : view.scope, part = view.frozen ? `&from=${Math.floor(from)}&to=${Math.ceil(to)}` : "";
    byId("subject").textContent = subject(model, places());
    byId("spans").textContent = part ? "Spans in this time" : "All recorded spans";
    for (const id of ["chrome", "perfetto"]) byId(id).href = `trace?seconds=0&format=${id}${part}`;
  }

  const press = (id, on) => byId(id).setAttribute("aria-pressed", on);
  return {
    show() {
      offer();
      press("freeze", view.frozen);
      byId("freeze").textContent = view.frozen ? "Resume" : "Freeze";
      byId("slow").checked = view.slow;
      byId("limit").placeholder = digits(view.over / 1e6, 3);
      press("apart", view.apart);
      const lanes = lanesOf(model), calls = info.root !== null;
      byId("apart").hidden = lanes.length < 2;
      for (const id of ["slow", "limit"]) byId(id).parentElement.hidden = calls;
      for (const m of ["a", "b"]) press(`mark-${m}`, Boolean(view.marks[m]));
      byId("clear").hidden = !(view.chosen || view.marks.a || view.marks.b);
      press("enabled", info.enabled);
      byId("record").textContent = info.recording ? "Stop recording" : "Record frames";
      byId("enabled").textContent = info.enabled ? "Turn profiling off" : "Turn profiling on";
      options("loop", [...info.loops.map((l) => [`loop=${encodeURIComponent(l)}`, l]), ...info.roots.map((z) => [`root=${z}`, `calls of ${zoneName(model, z)}`])], calls ? `root=${info.root}` : `loop=${encodeURIComponent(info.loop)}`);
      options("lane", lanes.length < 2 ? [] : [["", calls ? "All goroutines" : "All lanes"], ...lanes.map((l) => [l, laneName(model, l)])], view.lane ?? "");
      byId("lanes").hidden = calls || !info.lanes.has(-1) && lanes.length <= 16;
    },
  };
}

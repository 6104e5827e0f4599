// SPDX-License-Identifier: BSD-3-Clause
(() => {
  const { byId, colour, duration, start } = page;
  const SPAN = 18, STATE = 9; // pixels
  const report = JSON.parse(byId("capture").textContent), evidence = report.evidence, unit = evidence?.unit;
  if (!unit) return;
  const zones = evidence.zones || [], took = unit.duration_ns, begin = unit.start_ns;
  const zone = (i) => zones[i]?.name ?? "other zones";
  const hue = (i) => (i >= 0 ? colour(i) : "other");
  const stamp = (ns) => `${ns < 0 ? "−" : ""}${duration(Math.abs(ns))}`;
  const when = (from, to) => `${duration(to - from)}, from ${stamp(from)} on`;
  const rows = [], links = [], rowOf = new Map(); // by goroutine: the row of its states

  // spans adds the spans of a lane, a row for each depth.
  const spans = (list) => {
    const depths = [];
    for (const s of list) (depths[s.depth || 0] ||= []).push(s);
    for (const row of depths) {
      if (!row) continue;
      rows.push({ height: SPAN, boxes: row.map((s) => {
        const from = s.start_ns - begin, to = from + s.duration_ns;
        return { from, to, look: `${hue(s.zone)}${zones[s.zone]?.wait ? " wait" : ""}`, text: zone(s.zone), say: [`${zone(s.zone)}${s.linked ? ", for the unit" : ""}: ${when(from, to)}`] };
      }) });
    }
  };

  const words = { running: "running", ready: "ready to run", waiting: "waiting", syscall: "in a system call", unknown: "unknown" };
  // states adds what a goroutine did, and what it was seen running.
  const states = (track, samples) => {
    rowOf.set(track.goroutine, rows.length);
    rows.push({ height: STATE, boxes: (track.states || []).map((s) => ({
      from: s.from_ns, to: s.to_ns, look: words[s.state] ? s.state : "unknown", text: "",
      say: [`${words[s.state] ?? s.state}${s.reason ? ` (${s.reason})` : ""}: ${when(s.from_ns, s.to_ns)}`,
        [s.where && `at ${s.where}`, s.zone && `in zone ${s.zone}`, s.by && `ended by goroutine ${s.by}${s.by_where ? ` at ${s.by_where}` : ""}`].filter(Boolean).join(" · ")],
    })) });
    const seen = samples.map((s) => ({ from: s.at_ns, to: s.at_ns, look: "sample", text: "", say: [`was seen at ${stamp(s.at_ns)} in ${s.stack?.[0] ?? "an unknown function"}`, (s.stack || []).slice(1, 4).map((f) => `called by ${f}`).join(", ")] }));
    if (seen.length) rows.push({ height: STATE, boxes: seen });
  };

  const tracks = evidence.tracks || [], all = unit.spans || [], lanes = [...new Set(all.map((s) => s.lane))].filter((l) => l !== unit.lane);
  const own = tracks.find((t) => t.role === "unit");
  const aside = { child: "worked for it", waker: "ended a wait" };
  rows.push({ head: `goroutine ${report.goroutine ?? "unknown"}`, note: report.root });
  rows.push({ height: SPAN, boxes: [{ from: 0, to: took, look: hue(unit.zone), text: report.root, say: [`${report.root}: ${duration(took)}`] }] });
  spans(all.filter((s) => s.lane === unit.lane).map((s) => s));
  if (own) states(own, evidence.samples || []);
  for (const lane of lanes) {
    rows.push({ head: `lane ${lane}`, note: "worked for it" });
    spans(all.filter((s) => s.lane === lane));
  }
  for (const t of tracks) {
    if (t === own) continue;
    rows.push({ head: `goroutine ${t.goroutine}`, note: aside[t.role] });
    states(t, []);
  }
  const boxes = (list, look, text) => list.map((k) => ({ from: k.from_ns, to: k.to_ns, look: look(k), text: text(k), say: [`${text(k)}: ${when(k.from_ns, k.to_ns)}`] }));
  if (evidence.ranges?.length) {
    rows.push({ head: "garbage collector and stops of the world" });
    rows.push({ height: SPAN, boxes: boxes(evidence.ranges, () => "range", (r) => `${r.name}${r.goroutine ? `, goroutine ${r.goroutine}` : ""}`) });
  }
  const threads = new Map();
  for (const o of evidence.off || []) threads.set(o.thread, [...(threads.get(o.thread) || []), o]);
  if (threads.size) rows.push({ head: "threads off the processor", note: "a row for each" });
  for (const list of threads.values()) {
    rows.push({ height: STATE, boxes: boxes(list, (o) => (o.preempted ? "off" : "waiting"), (o) => `thread ${o.thread}, ${o.preempted ? "preempted" : "waited for the system"}`) });
  }
  for (const t of tracks) {
    for (const s of t.states || []) {
      if (s.by && rowOf.has(s.by) && s.by !== t.goroutine) links.push({ at: s.to_ns, from: rowOf.get(s.by), to: rowOf.get(t.goroutine), say: [`goroutine ${s.by} ended the wait of goroutine ${t.goroutine} at ${stamp(s.to_ns)}${s.by_where ? `, at ${s.by_where}` : ""}`] });
    }
  }
  // What began before the unit or went on after it is shown for a quarter of its duration.
  const ends = rows.flatMap((r) => r.boxes || []), edge = took / 4;
  const span = [Math.max(-edge, Math.min(0, ...ends.map((b) => b.from))), Math.min(took + edge, Math.max(took, ...ends.map((b) => b.to)))];
  start(page.lanes("timeline", { span, mark: [0, took], rows, links, hint: "Point at a box, or focus the timeline and use the arrow keys. Drag to zoom." }));
})();

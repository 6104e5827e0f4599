// SPDX-License-Identifier: BSD-3-Clause Tests of the modules of the page that do not draw. Node and the browser run the same
// tests.
import { Reports } from "../page/account.js";
import { cause } from "../page/cause.js";
import { apart as apartBy, common } from "../page/common.js";
import { sentence } from "../page/compare.js";
import { samples } from "../page/exports.js";
import { Frames, Paths, Series } from "../page/frames.js";
import { decades, ticks } from "../page/heat.js";
import { Level } from "../page/level.js";
import { amount, took } from "../page/names.js";
import { busy, collections, find, fitted, from, gap, lay, own, pan, rects, zoom } from "../page/spans.js";
import { around, bins, differences, fold, medians, outside, pick, quantile, rows, self, time, tree, treeOf } from "../page/tables.js";
import { COARSE, merge, tell } from "../page/tracks.js";
import { noted, quantiles, range, Units } from "../page/units.js";

function same(got, want, what) {
  const a = JSON.stringify(got), b = JSON.stringify(want);
  if (a !== b) throw new Error(`${what}: ${a}, want ${b}`);
}

// load reads a file beside this one.
async function load(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).json();
  return JSON.parse(await (await import("node:fs/promises")).readFile(url, "utf8"));
}

// Zones: 0 update, 1 path, 2 wait. Lane 0: update (path 0), update/path (1), update/path/path (2); lane 1: update (3), wait (4).
function world() {
  const paths = new Paths();
  for (const [path, lane, parent, zone] of [[0, 0, -1, 0], [1, 0, 0, 1], [2, 0, 1, 1], [3, 1, -1, 0], [4, 1, -1, 2]]) paths.add(path, lane, parent, zone);
  const info = { zones: [{ name: "update" }, { name: "path" }, { name: "wait", wait: true }], lanes: new Map([[0, "main"], [1, "work"]]) };
  return { paths, info, view: { apart: false, lane: null, find: "" } };
}
const frame = (n, took, ...entries) => [n, 100 * n, took, ...entries];

export const tests = {
  "the ring drops the oldest frames and keeps the entries of the others"() {
    const f = new Frames({ frames: 4, entries: 16, worst: 2 });
    for (let n = 0; n < 10; n++) f.push(frame(n, 10 + n, 0, 1, n, 1, 2, 2 * n));
    same([f.count, f.number(f.first), f.last()], [4, 6, 9], "kept");
    for (let i = f.first; i < f.end; i++) {
      const seen = [];
      f.each(i, (...e) => seen.push(e));
      same(seen, [[0, 1, f.number(i)], [1, 2, 2 * f.number(i)]], `entries of ${i}`);
    }
  },
  "the ring gives up frames where the entries of new ones do not fit"() {
    const f = new Frames({ frames: 100, entries: 8 });
    for (let n = 0; n < 50; n++) f.push(frame(n, 1, ...Array.from({ length: 3 * (1 + n % 3) }, (_, k) => n + k)));
    let sum = 0;
    for (let i = f.first; i < f.end; i++) f.each(i, () => sum++);
    same([sum <= 8, f.count >= 2, f.last()], [true, true, 49], "bounded");
    same(f.copy(f.end - 1).flat.slice(0, 3), [49, 50, 51], "the latest");
    same(f.push(frame(50, 1, ...new Array(27).fill(0))), false, "a frame that is too big");
  },
  "frames that are looked at are not given up"() {
    const f = new Frames({ frames: 4, entries: 64 });
    for (let n = 0; n < 6; n++) f.push(frame(n, 1));
    f.hold = f.place(3);
    for (let n = 6; n < 20; n++) f.push(frame(n, 1));
    same([f.number(f.first), f.last(), f.refused], [3, 6, 13], "held");
    f.hold = Infinity;
    same([f.push(frame(20, 1)), f.last()], [true, 20], "let go");
  },
  "the worst frames stay, the longest first, each once"() {
    const f = new Frames({ frames: 3, entries: 64, worst: 3 });
    [5, 90, 7, 80, 6, 70, 60, 5].forEach((took, n) => f.push(frame(n, took, 0, 1, took)));
    f.push(frame(1, 90, 0, 1, 90));
    same(f.worst.map((w) => [w.number, w.value, w.flat]), [[1, 90, [0, 1, 90]], [3, 80, [0, 1, 80]], [5, 70, [0, 1, 70]]], "worst");
  },
  "frames are found by time and by number, gaps or not"() {
    const f = new Frames({ frames: 8, entries: 64 });
    for (const n of [1, 2, 5, 6]) f.push(frame(n, 50));
    same([f.place(2), f.place(3), f.place(5), f.place(99)], [1, -1, 2, -1], "by number");
    same([f.after(0), f.after(149), f.after(150), f.after(300), f.after(9999)], [0, 0, 1, 2, 4], "by time");
  },
  "a series keeps the latest values"() {
    const s = new Series(4);
    for (let k = 0; k < 10; k++) s.push(k, 10 * k);
    same([s.first, s.value(s.from(7)), s.value(s.from(0)), s.from(99)], [6, 70, 60, 10], "series");
  },
  "what the runtime did before the page was open joins what came since"() {
    const known = [{ at: 40, values: [4] }, { at: 45, values: [5] }], stretch = (from, at) => ({ from, at, values: [at] });
    const joined = merge(known, [stretch(0, 10), stretch(10, 20), stretch(28, 38), stretch(38, 48), stretch(48, 58)]);
    same(joined.map((p) => [p.at, p.values?.[0]]), [[0, undefined], [10, 10], [20, 20], [28, undefined], [38, 38], [40, 4], [45, 5], [48, undefined], [58, 58]], "joined");
    same(merge(joined, [stretch(10, 20), stretch(28, 39)]), joined, "again");
    same(merge([], []), [], "nothing");
  },
  "a value of the runtime says how exactly it is known"() {
    const s = new Series(8), write = (v) => `${v} ns`;
    for (const [at, v] of [[0, NaN], [1e9, 7], [1e9 + 16e6, 0], [3e9, NaN], [4e9, 0]]) s.push(at, v);
    same([1, 2, 3, 4, 9].map((i) => tell(s, i, write, true)), ["7 ns (within 1 s)", "0 ns", "not known: no longer kept", "none (within 1 s)", "not known: no longer kept"], "bars");
    same([1, 2, 3, 9].map((i) => tell(s, i, write)), ["7 ns (within 1 s)", "0 ns", "", ""], "lines");
    same([tell(s, 1, write, false, true), COARSE > 1e8 && COARSE < 1e9], ["7 ns", true], "a plot of the program");
  },
  "a zone inside itself counts once, and lanes sum up"() {
    const { paths: { apart, summed } } = world(), f = new Frames({ frames: 4, entries: 64 });
    f.push(frame(0, 100, 0, 1, 60, 1, 3, 50, 2, 3, 40, 3, 1, 30));
    const visit = (v) => f.each(0, v);
    same([time(visit, apart, 1, null), time(visit, apart, 0, null), time(visit, apart, 0, 1)], [50, 90, 30], "time");
    const table = rows(f, [0], summed, null);
    same(table.map((r) => [r.zone, r.frame, r.self, r.calls]), [[0, 90, 40, 2], [1, 50, 50, 6]], "summed");
    same(rows(f, [0], apart, null).map((r) => r.key), ["0 0", "0 1", "1 0"], "apart");
    same(rows(f, [0], apart, 1).map((r) => [r.key, r.frame]), [["1 0", 30]], "one lane");
  },
  "the time in zones that wait is told apart, if there are any"() {
    const { paths, info } = world(), f = new Frames({ frames: 4, entries: 64 });
    paths.add(5, 0, 1, 2); // update/path/wait
    paths.add(6, 0, 5, 1); // in which something runs
    f.push(frame(0, 100, 0, 1, 60, 1, 1, 50, 4, 1, 7, 5, 2, 30, 6, 1, 10));
    const waits = (zones) => rows(f, [0], paths.summed, null, zones).map((r) => [r.zone, r.frame, Number.isNaN(r.waits) ? "-" : r.waits]);
    same(waits(info.zones), [[0, 60, 30], [1, 50, 30], [2, 37, 37]], "with a zone that waits");
    same(waits(info.zones.slice(0, 2)), [[0, 60, "-"], [1, 50, "-"], [2, 37, "-"]], "without");
  },
  "the mean is that of a call, inner calls of the same zone included, and calls are counted"() {
    const { paths: { summed } } = world(), f = new Frames({ frames: 4, entries: 64 });
    f.push(frame(0, 100, 0, 1, 60, 1, 2, 50, 2, 3, 40));
    f.push(frame(1, 100, 0, 0, 20));
    same(rows(f, [0, 1], summed, null).map((r) => [r.zone, r.calls, r.mean, r.frame]), [[0, 1, 80, 40], [1, 5, 18, 25]], "rows");
    same(rows(f, [1], summed, null).map((r) => [r.calls, r.mean, r.frame]), [[0, NaN, 20]], "no call has ended");
  },
  async "durations are those of package units, and nothing is zero but zero"() {
    const cases = await load("../../internal/units/testdata/durations.json");
    if (cases.length < 10) throw new Error("few cases");
    for (const { ns, text } of cases) same(page.duration(ns), text, `${ns}`);
    same([0, 1e-12, 0.00001234, 123456.7, -0.5].map((v) => page.digits(v, 3)), ["0", "1e-12", "0.0000123", "123457", "-0.5"], "digits");
  },
  "durations have three digits, counts at most five characters"() {
    same([0, 0.3, 0.7, 10, 999.4, 999.6, 1234, 99950, 999600, 1e7, 9.996e9, 1.2345e12, NaN].map(took),
      ["0 ns", "<1 ns", "1 ns", "10 ns", "999 ns", "1.00 µs", "1.23 µs", "100 µs", "1.00 ms", "10.0 ms", "10.0 s", "1235 s", "–"], "took");
    same([0, 1, 9999, 10000, 99949, 999499, 999600, 1e9, NaN].map(amount), ["0", "1", "9999", "10.0k", "99.9k", "999k", "1.00M", "1.00G", "–"], "amount");
  },
  "rows have exact quantiles"() {
    const { paths: { summed } } = world(), f = new Frames({ frames: 200, entries: 1024 });
    for (let n = 0; n < 200; n++) f.push(frame(n, 1000, 0, 1, (n * 37) % 200 + 1));
    const [r] = rows(f, Array.from({ length: 200 }, (_, i) => i), summed, null);
    same([r.p50, r.p99, r.max, r.frame], [100, 198, 200, 100.5], "quantiles");
    same([quantile([1, 2, 3], 0.5), quantile([7], 0.99), quantile([1, 2], 0)], [2, 7, 1], "few");
    const n = bins(r.values, 200, 10);
    same([n.length, n.reduce((a, b) => a + b), n[0], n[9]], [10, 200, 19, 21], "bins");
  },
  "band, range and brush choose frames"() {
    const { paths: { apart } } = world(), f = new Frames({ frames: 100, entries: 1024 });
    for (let n = 0; n < 50; n++) f.push(frame(n, 10 + n, 0, 1, n, 3, 1, 5));
    const all = { from: 0, to: Infinity, band: [0, Infinity], brush: null }, numbers = (filter) => pick(f, { ...all, ...filter }, apart).map((i) => f.number(i));
    same(numbers({ from: 1000, to: 1300 }), [10, 11, 12], "range");
    same(numbers({ band: [57, 58] }), [47, 48], "band");
    same(numbers({ brush: { zone: 0, lane: 0, lo: 48, hi: Infinity } }), [48, 49], "brush of one lane");
    same(numbers({ brush: { zone: 0, lane: null, lo: 5, hi: 6 } }), [0, 1], "brush over lanes");
    f.first = 5;
    same(numbers({ to: 700 }), [5, 6], "none that have gone");
  },
  "the median frame has the median of each path, zero where most frames do not go"() {
    const { paths: { apart } } = world(), f = new Frames({ frames: 100, entries: 1024 });
    for (let n = 0; n < 9; n++) f.push(frame(n, 100 + n, 0, 1, 10 * n, ...(n < 4 ? [1, 1, 5] : [])));
    const m = medians(f, around(f, 99), apart);
    same([m.value, m.total[0], m.total[1]], [104, 40, 0], "medians");
    same(around(f, 4, 4).map((i) => f.number(i)), [2, 3, 5], "around");
  },
  "trees are means, and fold over lanes"() {
    const { paths } = world(), f = new Frames({ frames: 4, entries: 64 });
    f.push(frame(0, 100, 0, 1, 60, 3, 1, 20));
    f.push(frame(1, 200, 0, 3, 40));
    const t = tree(f, [0, 1], paths.apart);
    same([t.value, t.total[0], t.calls[0], t.total[3]], [150, 50, 2, 10], "mean");
    same(fold(t, paths, paths.summed).total[0], 60, "folded");
    same([...self(treeOf(f.copy(0), paths.apart), paths.apart)], [60, 0, 0, 20, 0], "own");
  },
  "a zone that takes nearly all the time gives way to those inside it, and stays open for a while"() {
    const paths = new Paths(), zones = [{ name: "wait", wait: true }, { name: "frame" }, { name: "fill" }, { name: "sum" }, { name: "idle", wait: true }, { name: "side" }];
    for (const [path, lane, parent, zone] of [[0, 0, -1, 0], [1, 0, -1, 1], [2, 0, 1, 2], [3, 0, 1, 3], [4, 0, 1, 4], [5, 1, -1, 5]]) paths.add(path, lane, parent, zone);
    const level = new Level(paths), flat = [0, 1, 900, 1, 1, 100, 2, 1, 60, 3, 1, 20, 4, 1, 10, 5, 1, 1];
    const visit = (v) => { for (let k = 0; k < flat.length; k += 3) v(flat[k], flat[k + 1], flat[k + 2]); };
    level.settle(zones);
    same([level.nodes, [...level.open]], [[1, 5, 0], []], "nothing has come");
    level.add([7, 0, 1000, ...flat], 3);
    level.settle(zones);
    same([level.nodes, [...level.open]], [[2, 3, 1, 5, 0, 4], [1]], "from the bottom to the top");
    const { by, sum } = level.shares(visit, null);
    same([[2, 3, 1, 5, 0, 4].map((n) => by.get(n)), sum], [[60, 20, 10, 1, 900, 10], 1001], "times");
    same([...level.shares(visit, 1).by], [[5, 1]], "on one lane");
    level.add([5, 1, 20], 0);
    level.settle(zones);
    same([...level.open], [1], "with less it stays open");
    level.add([5, 1, 60], 0);
    level.settle(zones);
    same([...level.open], [], "with much less it does not");
    level.forget();
    level.add([1, 1, 100, 2, 1, 5], 0);
    level.settle(zones);
    same([...level.open], [], "there is little inside");
    const many = new Paths(), wide = new Level(many);
    for (let n = 0; n < 40; n++) { many.add(n, 0, -1, n); wide.add([n, 1, 1000 - n], 0); }
    wide.settle([]);
    same([wide.nodes.length, wide.shares((v) => { v(0, 1, 7); v(30, 1, 5); v(31, 1, 4); }, null).by.get(-1)], [17, 9], "of many, the others are one");
  },
  "the zone whose own time explains most comes first, not those around it"() {
    const { paths: { summed } } = world();
    const now = { value: 58, total: [45, 41, 0, 0, 3], calls: [] }, base = { value: 17, total: [4.5, 0.4, 0, 0, 11], calls: [] };
    same(differences(now, base, summed, [10, 1.5]).map((d) => d.node).slice(0, 2), [1, -1], "slower");
    same(differences(now, base, summed, null).some((d) => d.node === -1), false, "what is outside is unknown");
    same(differences(base, now, summed)[0].node, 1, "faster");
  },
  "time outside any zone is that of the loop's lane, however busy the others are"() {
    const { paths: { apart } } = world(), t = { value: 14.6, total: [1.35, 0, 0, 0.24, 0.68], calls: [] };
    same(outside(t, apart, 0).toFixed(2), "13.25", "outside");
  },
  async "the cause of a slow frame is that of strobe top"() {
    const { zones, paths: list, cases } = await load("causes.json"), paths = new Paths();
    for (const [path, lane, parent, zone] of list) paths.add(path, lane, parent, zone);
    const of = ({ took, parts }) => treeOf({ value: took, flat: parts }, paths.apart);
    if (cases.length < 10) throw new Error("few cases");
    for (const c of cases) {
      const want = c.cause && { node: c.cause.path < 0 ? -1 : paths.apart.of[c.cause.path], more: c.cause.more, ...(c.cause.waited !== undefined && { waited: paths.apart.of[c.cause.waited] }) };
      same(cause(paths.apart, zones, c.lane, of(c.frame), of(c.usual)), want, c.name);
    }
  },
  "the sentence names the zone, its time and the difference"() {
    const model = world(), base = { value: 17e6, total: [4.5e6, 0.3e6, 0, 11e6, 0], calls: [], what: "the median frame" };
    const say = (value, ...total) => sentence(model, { value, total, calls: [] }, base);
    same(say(58e6, 45.6e6, 41.2e6, 0, 11e6, 0), "update/path took 41.2 ms, 40.9 ms more than in the median frame.", "slow");
    same(say(30e6, 4.5e6, 0.3e6, 0, 11e6, 13e6), "wait waited 13.0 ms, 13.0 ms more than in the median frame.", "waited");
    same(say(17e6, 4.6e6, 0.3e6, 0, 11e6, 0), "No zone differs from the median frame by more than 100 µs.", "the same");
    same(say(40e6, 4.5e6, 0.3e6, 0, 16e6, 0), "No zone accounts for half of the 23.0 ms more than in the median frame. Most is 5.00 ms, in update.", "several");
    model.info.lane = 0;
    same(say(40e6, 4.5e6, 0.3e6, 0, 22e6, 0), "35.5 ms passed outside any zone, 23.0 ms more than in the median frame.", "outside, on the loop's lane");
    model.info.zones[1].wait = true;
    same(say(58e6, 45.6e6, 41.2e6, 0, 50e6, 0), "update took 50.0 ms on work, 39.0 ms more than in the median frame; update/path waited meanwhile.", "what another lane did");
    same(say(10e6, 4.5e6, 0.3e6, 0, 4e6, 0), "5.50 ms passed outside any zone, 7.00 ms less than in the median frame.", "less");
  },
  "a profile has a sample for each path, whose self times add up"() {
    const { paths, info, view } = world();
    info.loop = "frame";
    info.zones[1].every = 8;
    info.zones[0].where = "world.go:44";
    const frames = new Frames({ frames: 4, entries: 64 });
    frames.push(frame(1, 100, 0, 1, 60, 1, 2, 40, 4, 1, 9));
    frames.push(frame(2, 200, 0, 1, 70, 1, 0, 20, 2, 3, 5));
    const got = samples({ paths, info, view, frames }, [0, 1]);
    same(got.samples.map((s) => [s.stack.map((z) => z.name), s.calls, s.self, s.labels]),
      [[["update"], 2, 70, { lane: "main" }], [["path", "update"], 2, 55, { lane: "main" }], [["path", "path", "update"], 3, 5, { lane: "main" }], [["wait"], 1, 9, { lane: "work", kind: "wait" }]], "samples");
    same([got.duration, got.notes], [300, ["2 frames of the loop frame, from number 1 to 2", "the zone path is sampled: one in 8 calls is in this profile"]], "about them");
    view.frame = frames.copy(1);
    same(samples({ paths, info, view, frames }, [0, 1]).samples.map((s) => s.self), [50, 15, 5], "of the chosen frame");
  },
  "spans lie in rows by depth, and beside each other where their paths are not known"() {
    const { paths: { apart } } = world(), rows = lay([0, 0, 100, 1, 10, 50, 2, 20, 30, 1, 70, 10, 0, 100, null, 99, 200, 10000, 99, 300, 5000], apart);
    same(rows.map((r) => r.start), [[0, 100], [10, 70, 200], [20, 300]], "starts");
    same(rows[0].end[1], null, "open"); // JSON has null for Infinity
    same(rows.map((r) => r.node), [[0, 0], [1, 1, -1], [2, -1]], "nodes");
  },
  "spans that are rounded to overlap stay in their row"() {
    const { paths: { apart } } = world();
    same(lay([0, 0, 101, 0, 100, 100, 0, 199, 5], apart).length, 1, "rows");
  },
  "spans and the gaps between them are found"() {
    const row = { start: [-5, 20, 50], end: [10, 40, Infinity] };
    same([find(row, -1), find(row, 9), find(row, 10), find(row, 20), find(row, 45), find(row, 1e9)], [0, 0, -1, 1, -1, 2], "spans");
    same([from(row, 10), from(row, -9)], [1, 0], "after");
    same([gap(row, 15, 100), gap(row, 45, 100), gap({ start: [5], end: [7] }, 8, 100), gap(undefined, 3, 100)], [[10, 20], [40, 50], [7, 100], [0, 100]], "gaps");
  },
  "spans shorter than a pixel are merged, and no time is lost"() {
    const start = [], end = [];
    for (let i = 0; i < 10000; i++) { start.push(i * 1000 + (i % 7) * 10); end.push(start[i] + 1 + ((i * 7919) % 900)); }
    const row = { start, end, node: [] }, whole = 1e7;
    for (const [lo, hi, w] of [[0, whole, 1280], [0, whole, 390], [0, 1e5, 1280], [4e6, 4.5e6, 1280], [0, whole, 100000]]) {
      const list = rects(row, [lo, hi], w), inside = start.filter((s, i) => s < hi && end[i] > lo);
      same(list.length <= 2 * w + 2, true, `${list.length} rectangles on ${w} pixels`);
      same(list.reduce((n, r) => n + r.n, 0), inside.length, "spans");
      same(list.every((r, k) => r.x >= 0 && r.x + r.w <= w + 1e-6 && (!k || list[k - 1].x + list[k - 1].w <= r.x + 1e-6)), true, "in order, inside");
      same(list.every((r) => r.n > 1 || r.i < 10000 && Math.abs(r.x - Math.max(0, ((start[r.i] - lo) / (hi - lo)) * w)) < 1e-6), true, "where they are");
    }
    const one = rects(row, [0, whole], 10);
    same([one.length, Math.round(one[0].busy)], [1, end.reduce((s, e, i) => s + e - start[i], 0)], "all in one");
    same(end[one[0].i] - start[one[0].i], 900, "the longest stands for them");
  },
  "a long span between short ones is not merged"() {
    const row = { start: [0, 10, 20, 1020, 1030], end: [5, 15, 1010, 1025, 1035] };
    same(rects(row, [0, 1100], 220).map((r) => [r.i, r.n]), [[0, 1], [1, 1], [2, 1], [3, 1], [4, 1]], "a pixel each");
    same(rects(row, [0, 20000], 200).map((r) => [r.i, r.n]), [[0, 2], [2, 1], [3, 2]], "merged on each side");
  },
  "a window zooms about a time and stays inside the frame"() {
    same([zoom([0, 100], 0.5, 25, 100), zoom([0, 100], 0.5, 100, 100), zoom([40, 60], 10, 50, 100)], [[12.5, 62.5], [50, 100], [0, 100]], "zoom");
    same([zoom([50, 70], 0.001, 60, 1e6), zoom([0, 3], 0.5, 1, 3)], [[50, 70], [0, 3]], "no further");
    same([pan([10, 30], 5, 100), pan([10, 30], -50, 100), pan([10, 30], 500, 100)], [[15, 35], [0, 20], [80, 100]], "pan");
    same([fitted([95, 130], 100), fitted([50, 51], 100), fitted([-9, 200], 100), fitted([0, 0], 3)], [[65, 100], [40.5, 60.5], [0, 100], [0, 3]], "fitted");
    let w = [0, 1e9];
    for (let k = 0; k < 40; k++) w = zoom(w, 0.5, 123456789, 1e9);
    same(w[0] <= 123456789 && 123456789 <= w[1], true, "the time pointed at stays in sight");
  },
  "own time and busy time are those in the frame"() {
    const rows = [{ start: [-50, 60], end: [40, Infinity] }, { start: [-50, 0, 30, 70], end: [-20, 10, 50, 80] }];
    same([own(rows, 0, 0, 100), own(rows, 0, 1, 100), own(rows, 1, 1, 100), busy(rows[0], 100)], [20, 30, 10, 80], "own and busy");
  },
  "collections lie between two readings of the runtime"() {
    const s = new Series(8);
    for (const [at, pause] of [[100, 0], [200, 7], [300, 0], [400, 9]]) s.push(at, pause);
    same([collections(s, 150, 30), collections(s, 210, 50), collections(s, 150, 1000), collections(s, 0, 50), collections(s, 500, 50)], [[[-50, 50, 7]], [], [[-50, 50, 7], [150, 250, 9]], [], []], "collections");
  },
  "units are kept as the program says"() {
    const u = new Units(), row = (number, start, took, slow, sampled, notes = []) => [number, start, took, 0, 7, slow, sampled, notes, 0, 1, took];
    u.take({ at_ns: 100, reset: true, units: [row(1, 10, 50, 1, 0, ["route", "/a"]), row(2, 0, 20, 0, 1), row(3, 30, 5, 1, 1)], columns: [[0, 50, 21, 2], [50, 50, 60, 1]] });
    same([0, 1, 2].map((i) => u.number(i)), [2, 3, 1], "in the order in which they ended");
    same([u.worst.map((w) => w.number), u.sample(-1).map((i) => u.number(i)), u.after(20), noted(u.copy(2))], [[1, 3], [2, 3], 1, "route=/a"], "slow, sampled, after");
    same([u.next(2, -1), u.next(1, -1), u.next(1, 1)], [1, 1, 2], "from one slow unit to the next");
    u.take({ at_ns: 110, gone: [2], unsampled: [3], columns: [[50, 50, 60, 4]] }, true);
    same([u.count, u.sample(-1).map((i) => u.number(i))], [3, [2]], "while it is frozen");
    u.take({ at_ns: 120 }, false);
    same([u.count, u.sample(-1), u.columns(0, 200).map((c) => c.cells)], [2, [], [[21, 2], [60, 4]]], "what is gone is dropped, a column is replaced");
    u.take({ at_ns: 3700e9 });
    same(u.columns(-Infinity, Infinity), [], "an hour later");
    u.take({ at_ns: 5, reset: true, units: [row(9, 1, 1, 1, 0)] });
    same([u.count, u.latest, u.number(0)], [1, 5, 9], "a message that begins anew");
  },
  "the cells of durations are those of the program"() {
    same([range(0), range(31), range(32), range(33), range(48)], [[0, 1], [31, 32], [32, 34], [34, 36], [64, 68]], "cells");
    for (let c = 0; c < 900; c++) same(range(c)[1], range(c + 1)[0], `between cells ${c} and ${c + 1}`);
    same(quantiles([{ cells: [21, 2] }, { cells: [10, 1, 21, 1] }], [0.25, 0.5, 1]), { n: 4, of: [10.5, 21.5, 21.5] }, "quantiles");
    same(quantiles([], [0.5]).n, 0, "of nothing");
  },
  "the logarithmic axis holds all values and stands still"() {
    for (const [lo, hi] of [[1, 2], [5e6, 6e7], [1e3, 9e9], [7e6, 7e6]]) {
      const [a, b] = decades(lo, hi), all = ticks([a, b], 200);
      same(a <= lo && b >= hi && b / a >= 9.9, true, `${lo} to ${hi} in ${a} to ${b}`);
      same(all.length > 0 && all.every((t, i) => t >= a * 0.99 && t <= b * 1.01 && (!i || t > all[i - 1])), true, "ticks");
    }
    same(decades(5.1e6, 6e7), decades(5.9e6, 6.1e7), "small changes");
  },
  "what sets units apart is ranked by what is certain"() {
    const { paths } = world(), unit = (number, took, route, path = 0) => ({ number, took, value: took, lane: number % 5, goroutine: 0, notes: [["route", route]], flat: [0, 1, took, 1, 1, path] });
    const slow = [1, 2, 3, 4, 5, 6].map((n) => unit(n, 60, "/report", 55)), usual = Array.from({ length: 200 }, (_, n) => unit(10 + n, 5 + (n % 3), n % 40 ? "/" : "/report", 2));
    const list = common(slow, usual, paths.apart);
    same(list.slice(0, 2).map((d) => [d.kind, d.node ?? d.value]), [["zone", 1], ["note", "/report"]], "the largest difference first");
    same(list.some((d) => d.kind === "lane"), false, "lanes that are as usual do not count");
    same([apartBy(1, 1, 20, 200) < apartBy(6, 6, 20, 200), apartBy(1, 1, 100, 200) <= 0, apartBy(0, 0, 1, 2), apartBy(5, 10, 100, 200) <= 0], [true, true, 0, true], "a single unit proves little");
    same([common([], usual, paths.apart), common(slow, [], paths.apart)], [[], []], "nothing to compare");
  },
  "a report is that of a frame or a call by name, goroutine, start and duration"() {
    const r = new Reports(), at = (unit, root, start, took, goroutine) => ({ unit, root, start_ns: start, duration_ns: took, goroutine });
    r.add([at("span", "request", 1e9, 5e6, 7), at("frame", "update", 1e9, 5e6), at("span", "request", 2e9, 5e6, 8)]);
    const calls = { info: { root: 0, zones: [{ name: "request" }], loop: "" } }, frames = { info: { root: null, zones: [], loop: "update" } }, of = (m, start, took, goroutine) => r.of(m, { start, took, goroutine })?.start_ns;
    same([of(calls, 1e9 + 1e6, 5e6 + 200, 7), of(calls, 1e9, 5e6, 8), of(calls, 2e9, 5e6, 8), of(calls, 1e9, 6e6, 7), of(frames, 1e9, 5e6), of(frames, 3e9, 5e6)].map((v) => v ?? null), [1e9, null, 2e9, null, 1e9, null], "reports");
    r.add([{ ...at("span", "request", 3e9, 5e6, 7), cause: "lock" }]);
    const call = { start: 3e9, took: 5e6, goroutine: 7, slow: true };
    same([call, { ...call, open: true }, { ...call, start: 9e9 }, { ...call, start: 9e9, slow: false }].map((u) => r.cause(calls, u)[0]), ["lock", "not yet", "no report", "usual"], "why there is no cause");
  },
};

// SPDX-License-Identifier: BSD-3-Clause The live page: receives the stream, and draws at most once per display frame.
import { Account, Reports } from "./account.js";
import { Act } from "./act.js";
import { Colours } from "./colours.js";
import { Common } from "./common.js";
import { Compare } from "./compare.js";
import { controls } from "./controls.js";
import { Division, Extras, percent } from "./extras.js";
import { Flame } from "./flame.js";
import { Frames, Paths } from "./frames.js";
import { Heat } from "./heat.js";
import { Intake } from "./intake.js";
import { listen } from "./keys.js";
import { Lanes } from "./lanes.js";
import { Level } from "./level.js";
import { noun, pathName, spaceOf, took, zoneName } from "./names.js";
import { Overview } from "./overview.js";
import { Slowest } from "./slowest.js";
import { connect, send } from "./stream.js";
import { Strip } from "./strip.js";
import { around, fold, medians, pick, quantile, rows, tree, treeOf } from "./tables.js";
import { Timeline } from "./timeline.js";
import { Tracks } from "./tracks.js";
import { noted, quantiles } from "./units.js";
import { View } from "./view.js";
import { Worst } from "./worst.js";
import { Zones } from "./zones.js";

const { byId, digits } = page;
const model = { frames: new Frames(), paths: new Paths(), reports: new Reports(), extras: new Extras(), view: new View(), colours: new Colours(),
  info: { run: "", program: "", loop: "", loops: [], root: null, roots: [], wall: 0, zones: [], lanes: new Map(), lane: null, slice: 0, enabled: true, recording: true } };
const { view, info, colours } = model, level = (model.level = new Level(model.paths));
const say = (id, text) => { const e = byId(id); if (e.textContent !== text) e.textContent = text; };

const count = (n) => `${n} ${noun(model)}${n === 1 ? "" : "s"}`;
const calls = () => info.root !== null; // of a root zone are shown instead of frames

let places = []; // of the frames in the tables
let link = "connecting", notes = [], waiting = false, urgent = true, due = 0, pointed = false, later = 0, stream, pause = 0; // ms between tries to reach the program
let overview, worst, compare, account, division, common, slowest, flame, timeline, zones, panel; // made after the first plot

// draw requests a picture; now says that the tables have changed too.
function draw(now) {
  urgent ||= now === true;
  if (!waiting) { waiting = true; requestAnimationFrame(paint); }
}

const act = new Act(model, { changed: () => draw(true), read: (frame) => { pointed = Boolean(frame); read(frame); }, point: (t) => { view.pointer = t; draw(); } });
const tracks = new Tracks(byId("tracks"), model), intake = new Intake(model, act, tracks), strip = new Strip(byId("strip"), model, act), heat = new Heat(byId("heat"), model, act, (text) => say("read", text));

function begin() {
  seen();
  document.body.classList.remove("first");
  overview = new Overview(byId("overview"), model, act);
  worst = new Worst(byId("worst"), model, act);
  compare = new Compare(byId("compare"), byId("differences"), model, tracks);
  account = new Account(byId("account"), model);
  division = new Division(byId("division"), model);
  common = new Common(byId("common"), model);
  slowest = new Slowest(byId("slowest"), model, act);
  flame = new Flame(byId("flame"), model, act, (text) => say("flame-read", text));
  timeline = new Timeline(model, act, tracks);
  zones = new Zones(byId("zones"), byId("more"), model, act, command);
  new Lanes(byId("lanes"), byId("lane-find"), byId("lane-table"), byId("lane-more"), model, follow);
  panel = controls(model, act, { places: () => places, command, mark, reconnect });
  listen(act, { view, zones, find: byId("find"), help: byId("help"), mark });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours.read(); draw(true); });
  new ResizeObserver(() => draw(true)).observe(document.body);
  if (came) named();
  stream = connect("root=any", on);
  byId("retry").addEventListener("click", () => stream.retry());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) stream.retry(); });
}

// seen records when the first plot was on the screen.
function seen() { if (model.frames.count) window.firstPlot ??= performance.now(); }

function named() { say("program", info.program); document.title = `${info.program} – strobe`; }

function plot() {
  if (!view.frozen) view.end = act.latest();
  for (const id of ["strip", "overview", "worst"]) byId(id).hidden = calls();
  byId("heat").hidden = !calls();
  (calls() ? heat : strip).draw();
}

function paint(now) {
  waiting = false;
  if (!panel || intake.behind) return; // wait for more messages
  plot();
  if (!window.firstPlot) setTimeout(seen);
  tracks.draw();
  if (urgent || now >= due) tables(now);
  else later ||= setTimeout(() => { later = 0; draw(); }, due - now); // so that the last message of a burst is drawn too
}

// tables computes everything below the strip, four times a second, or less often if that takes long.
function tables(now) {
  urgent = false;
  if (!view.given) usual();
  level.settle(info.zones);
  const space = spaceOf(model), { paths, frames } = model, began = performance.now();
  places = pick(frames, view.filter, paths.apart);
  const all = view.brush ? pick(frames, { ...view.filter, brush: null }, paths.apart) : places;
  if (calls()) ofCalls(); else { overview.draw(); worst.draw(places); slowest.draw(); }
  const chosen = rows(frames, places, space, view.lane, info.zones);
  zones.draw(chosen, view.brush ? rows(frames, all, space, view.lane, info.zones) : chosen, calls() && !narrow() && !view.brush);
  const [shown, base] = trees(space);
  flame.draw(shown, base);
  timeline.show();
  compare.draw(shown, base, space, () => trees(paths.apart));
  account.draw();
  division.draw(noun(model), took);
  if (!byId("common").hidden) byId("compare").hidden = true; // it says the same, and more
  say("flame-name", base ? `${shown.what[0].toUpperCase()}${shown.what.slice(1)}` : places.length ? `Mean of ${count(places.length)}` : "Call tree");
  say("scope", scope());
  panel.show();
  if (!pointed) read(null);
  status();
  window.ready ||= frames.count > 0 || calls();
  due = now + Math.max(250, 10 * (performance.now() - began));
}

// narrow returns whether calls are selected by time or duration.
const narrow = () => Boolean(view.range) || view.band[0] > 0 || view.band[1] < Infinity;

// ofCalls shows what is only shown of calls. Tables are about the random sample, unless some calls are selected.
function ofCalls() {
  const { frames } = model, chosen = new Set(places), some = narrow() && !view.frame;
  common.draw(some ? places.map((i) => frames.copy(i)) : [], some ? frames.sample(-1).filter((i) => !chosen.has(i)).map((i) => frames.copy(i)) : []);
  slowest.draw();
  if (narrow() || view.brush) return;
  const sampled = places.filter((i) => frames.sampled(i));
  places = sampled.length >= 10 ? sampled : frames.sample(-1);
}

// trees returns the tree to show and its base. The tree is that of the chosen frame, or else of the selected frames, or else of
// bookmark B. The base is bookmark A, or else, for a frame, the median frame.
function trees(space) {
  const { frames } = model, { marks: { a, b }, frame } = view, set = (m, short) => ({ ...(m.frame ? treeOf(m.frame, space) : fold(m.tree, model.paths, space)), what: `${m.what} (${short})`, short, frame: m.frame });
  const is = (m) => Boolean(frame) && m?.frame?.number === frame.number, base = a && set(a, "A");
  if (a && b && (is(a) || is(b) || !view.selects && !frame)) return [set(b, "B"), base];
  if (frame) return [{ ...treeOf(frame, space), what: `${noun(model)} ${frame.number || "that has not ended"}`, short: noun(model), frame }, is(a) || !a ? median(space) : base];
  const usual = calls() && places.length && narrow() ? { ...medians(frames, frames.sample(-1), space), what: "the median call", short: "median" } : null;
  return [{ ...tree(frames, places, space), what: `the mean of ${count(places.length)}`, short: "mean" }, places.length && (view.selects || usual) ? base || usual : null];
}

// median is the tree of the median frame around the chosen one. It stays until another is chosen.
let kept = { number: -1 };
function median(space) {
  const { frames } = model, { number } = view.frame;
  if (kept.number !== number || kept.run !== info.run || kept.frames !== frames) kept = { number, run: info.run, frames, of: new Map() };
  if (!kept.of.has(space)) kept.of.set(space, { ...medians(frames, calls() ? frames.sample(number) : around(frames, number), space), what: `the median ${calls() ? "call" : "frame"}`, short: "median" });
  return kept.of.get(space);
}

function usual() {
  const { frames } = model;
  if (calls()) { ofLatest(); return; }
  const n = Math.min(frames.count, 1000), last = Float64Array.from({ length: n }, (_, k) => frames.value(frames.end - 1 - k)).sort(), m = n && quantile(last, 0.5);
  if (info.slice && n) numbers(took(m), took(quantile(last, 0.9)), took(quantile(last, 0.99)), `busy in ${page.duration(info.slice)}`, "p90");
  if (Math.abs(m - view.usual) > 0.2 * view.usual) view.usual = m; // smaller changes do not move the scale
}

// ofLatest shows the rate of calls in the latest complete second, and quantiles of the latest minute.
function ofLatest() {
  const { frames } = model, second = 1e9, from = Math.floor(frames.latest / second - 1) * second, [last] = frames.columns(from, from + 1), minute = quantiles(frames.columns(frames.latest - 60 * second, frames.latest), [0.5, 0.99]);
  const rate = last && last.width === second ? quantiles([last], []).n : 0, ns = (v, least) => (minute.n >= least ? page.duration(v, 2) : "–");
  numbers(frames.count ? `${rate}` : "–", ns(minute.of[0], 5), ns(minute.of[1], 100), "calls/s", "median");
}

function numbers(rate, low1, p99, rateName = "frames/s", lowName = "1 % low") {
  say("rate", rate);
  say("low1", low1);
  say("p99", p99);
  say("rate-name", rateName);
  say("low1-name", lowName);
}

function scope() {
  if (view.frame && !places.length && model.frames.place(view.frame.number) < 0) return `the ${noun(model)}s around this one are no longer kept`;
  if (calls() && !narrow() && !view.brush) return `a random sample of ${count(places.length)}`;
  const [from, to] = view.scope, words = [count(places.length), view.range ? `in ${took(to - from)}` : view.frozen ? "in view" : "so far in view"];
  const ms = (v) => digits(v / 1e6, 3);
  if (view.band[0] > 0 || view.band[1] < Infinity) words.push(`of ${ms(view.band[0])} to ${view.band[1] < Infinity ? ms(view.band[1]) : "∞"} ms`);
  if (view.cloud) words.push(`of ${took(view.cloud[0])} to ${view.cloud[1] < Infinity ? took(view.cloud[1]) : "∞"}`);
  if (view.brush) words.push(`with ${took(view.brush.lo)}${view.brush.hi < Infinity ? ` to ${took(view.brush.hi)}` : " or more"} in ${info.zones[view.brush.zone]?.name ?? "a zone"}`);
  return words.join(" ").replace("so far ", "");
}

function status() {
  const words = [link];
  if (view.frozen) words.push(model.frames.refused && model.frames.hold < Infinity ? "frozen, memory full" : "frozen");
  say("status", words.join(" · "));
  byId("status").classList.toggle("alert", !link.startsWith("process") && link !== "connecting");
  const all = [...notes];
  byId("retry").hidden = link !== "reconnecting" || !pause;
  if (link === "reconnecting") all.push(`The program does not answer. The page shows earlier data, and continues when the program answers again.${pause ? ` It tries again after ${pause / 1000} s.` : ""}`);
  if (!info.recording) all.push("Nothing is recorded, so there are no new frames: see the menu Program.");
  if (!info.enabled) all.push("Profiling is off: see the menu Program.");
  if (intake.lost) all.push(`${intake.lost} spans were overwritten before they were read, so times in frames may be too small. Use a larger recording: strobe.Record.`);
  if (tracks.beyond) all.push("Some plots are not shown: the limit is 16.");
  const key = all.join("\n");
  if (byId("notes").dataset.key !== key) {
    byId("notes").dataset.key = key;
    byId("notes").replaceChildren(...all.map((text) => { const li = document.createElement("li"); li.textContent = text; return li; }));
  }
}

// read describes the frame under the pointer, or else the chosen one.
function read(frame) {
  const { frames } = model;
  frame ||= view.frame;
  if (calls()) { readCall(frame); return; }
  if (!frames.count) { say("read", info.enabled && info.recording ? "No frames yet. A frame is the time between two calls of strobe.Frame." : "There are no frames."); return; }
  const { summed } = model.paths, name = (n) => pathName(model, summed, n);
  if (!frame) { say("read", `Click a frame to see how it differs; drag over frames to see only those.${level.open.size ? ` Bars show the zones inside ${name([...level.open].pop())}.` : ""}`); return; }
  const { by } = level.shares((visit) => { for (let k = 0; k < frame.flat.length; k += 3) visit(frame.flat[k], frame.flat[k + 1], frame.flat[k + 2]); }, view.lane);
  const list = [...by].filter(([, t]) => t > 0).sort((a, b) => b[1] - a[1]).slice(0, 8);
  say("read", [`${info.slice ? "slice" : "frame"} ${frame.number}`, took(frame.value), ...[model.extras.notes(frame)].filter(Boolean), ...list.map(([n, t]) => `${n < 0 ? "other zones" : level.open.has(n) ? `rest of ${name(n)}` : name(n)} ${took(t)}`)].join(" · "));
}

// readCall describes a call.
function readCall(u) {
  if (!model.frames.count && !u) { say("read", info.enabled && info.recording ? "No call has ended yet." : "There are no calls."); return; }
  if (!u) { say("read", `Calls of ${zoneName(model, info.root)}: a dot is a slow one. Click it to see how it differs; drag over some to see what they have in common.${ran()}`); return; }
  say("read", [`call ${u.number || "that has not ended"}`, took(u.value), noted(u), info.lanes.get(u.lane) ?? (u.goroutine ? `g${u.goroutine}` : "")].filter(Boolean).join(" · "));
}

// ran says when the calls of the root zone ran and waited, where that is known.
function ran() {
  const s = model.extras.root(info.root);
  return s ? ` In ${took(model.extras.looks.covered_ns)} that were looked at, they ran for ${percent(s.running)} of their time, were ready for ${percent(s.ready)} and waited for ${percent(s.waiting)}.` : "";
}

async function command(c) {
  const why = await send(c);
  notes = notes.filter((n) => !n.startsWith("Refused: "));
  if (why) notes.push(`Refused: ${why}`);
  else if (c.zone !== undefined) info.zones[c.zone].every = c.every;
  else if (c.enabled !== undefined) info.enabled = c.enabled;
  else if (c.record_bytes !== undefined) info.recording = c.record_bytes > 0;
  else if (c.reset) intake.forget();
  draw(true);
}

// follow shows a lane, and asks the program to send it separately if necessary.
function follow(lane, name) {
  if (!info.lanes.has(lane)) { info.lanes.set(lane, name); command({ lane }); }
  act.lane(lane);
}

function mark(name) { act.mark(name, places); }

const on = {
  hello(m) {
    intake.hello(m);
    link = `process ${m.pid}`;
    named();
    draw(true);
  },
  frames(m) { intake.frames(m); draw(); },
  state(m) {
    link = link.startsWith("process") ? link : "process";
    model.extras.looks = m.looks ?? null;
    const hz = (v) => (v === undefined ? "–" : v.toFixed(v < 1000 ? 1 : 0));
    if (calls()) model.frames.running(m.open || []);
    else if (!info.slice) numbers(hz(m.rate_hz), hz(m.low1_fps), m.p99_ns === undefined ? "–" : took(m.p99_ns));
    say("cost", [m.cost_ns && `A span costs ${page.duration(m.cost_ns, 3)}.`, m.memory_bytes && `The profiler holds ${digits(m.memory_bytes / 2 ** 20, 3)} MiB.`].filter(Boolean).join(" "));
    notes = [...notes.filter((n) => n.startsWith("Refused: ")), ...(m.notes || [])];
  },
  bye() { link = "the program has ended"; draw(true); },
  broken(ms) { link = "reconnecting"; pause = ms; draw(true); },
};

function reconnect(query) { stream.close(); stream = connect(query, on); }

// The page contains the latest frames: they are drawn before anything else is set up or laid out.
const came = JSON.parse(byId("first").textContent);
if (came) {
  intake.hello(came.hello);
  intake.frames(came.frames);
  plot();
}
if (came && !document.hidden) requestAnimationFrame(() => setTimeout(begin)); else begin();

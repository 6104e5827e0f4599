// SPDX-License-Identifier: BSD-3-Clause What made a frame longer than usual. strobe top has the same rule, in package program;
// the tests of both read causes.json.
import { outside, self } from "./tables.js";

// cause returns the node whose own time exceeds that in base most, on the loop's lane, or on all lanes if that is null; node -1
// is the time outside any zone. If the node waits, and one that does not wait accounts for half of the excess, it returns that
// one, and the waiting node too. It returns null if nothing accounts for half. space is the one with lanes apart.
export function cause(space, zones, lane, tree, base) {
  const excess = tree.value - base.value, now = self(tree, space), was = self(base, space), waits = waiting(space, zones);
  const best = { node: -1, more: lane === null ? 0 : outside(tree, space, lane) - outside(base, space, lane) }, busy = { node: -1, more: 0 };
  for (let node = 0; node < space.zone.length; node++) {
    const more = (now[node] || 0) - (was[node] || 0); // a tree may be older than a node
    if ((lane === null || space.lane[node] === lane) && more > best.more) Object.assign(best, { node, more });
    if (!waits[node] && more > busy.more) Object.assign(busy, { node, more });
  }
  if (best.more <= 0 || 2 * best.more < excess) return null;
  return best.node >= 0 && waits[best.node] && busy.node >= 0 && 2 * busy.more >= excess ? { ...busy, waited: best.node } : best;
}

// waiting returns for each node whether its zone, or an outer one, waits.
function waiting(space, zones) {
  const out = [];
  space.zone.forEach((zone, node) => out.push(Boolean(zones[zone]?.wait || out[space.parent[node]])));
  return out;
}

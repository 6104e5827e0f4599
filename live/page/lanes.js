// SPDX-License-Identifier: BSD-3-Clause Finds lanes by search if there are too many to show: what each has done since the start,
// from snapshot.json. A lane that is chosen is shown separately in frames from then on.
import { took, zoneName } from "./names.js";

const MOST = 30; // rows
const FRESH = 3000; // ms that a snapshot is used

export class Lanes {
  #lanes = []; #at = -Infinity; #busy = false;

  // choose is called with a lane and its name.
  constructor(menu, find, table, more, model, choose) {
    Object.assign(this, { find, table, more, model, choose });
    menu.addEventListener("toggle", () => { if (menu.open) this.#search(); });
    find.addEventListener("input", () => this.#search());
  }

  async #search() {
    if (performance.now() - this.#at > FRESH && !this.#busy) {
      this.#busy = true;
      try {
        const answer = await fetch("snapshot.json?lanes=20000");
        if (!answer.ok) throw new Error((await answer.text()).trim());
        this.#lanes = (await answer.json()).snapshot.lanes || [];
        this.#at = performance.now();
      } catch (e) {
        this.more.textContent = `The lanes cannot be read: ${e.message}`;
        return;
      } finally {
        this.#busy = false;
      }
    }
    this.#show();
  }

  #show() {
    const text = this.find.value.trim().toLowerCase(), sum = (l) => (l.zones || []).reduce((s, z) => s + z.self_ns, 0);
    const found = this.#lanes.filter((l) => l.name.toLowerCase().includes(text) && l.zones?.length).map((l) => [l, sum(l)]).sort((a, b) => b[1] - a[1]);
    this.table.tBodies[0].replaceChildren(...found.slice(0, MOST).map(([l]) => {
      const row = document.createElement("tr"), th = document.createElement("th");
      th.scope = "row";
      const name = document.createElement("button");
      name.type = "button";
      name.textContent = l.name;
      name.title = "Show the frames of this lane";
      name.addEventListener("click", () => this.choose(l.id, l.name));
      th.append(name);
      const zones = [...l.zones].sort((a, b) => b.self_ns - a.self_ns).slice(0, 4).map((z) => `${zoneName(this.model, z.zone)} ${took(z.self_ns)} in ${z.calls} call${z.calls === 1 ? "" : "s"}`);
      const td = document.createElement("td");
      td.className = "text";
      td.textContent = zones.join(" · ");
      row.append(th, td);
      return row;
    }));
    this.more.textContent = found.length > MOST ? `${found.length - MOST} more lanes` : found.length ? "" : "no lane has this name";
  }
}
